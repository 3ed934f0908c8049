package dev.comporta.app.live;

import java.util.List;
import java.util.Optional;

/** The messages of an instance to its live pages. Each is made when its method is called. Not for event loops: they wait. */
interface LiveMessages {
    /** A row of figures for every bucket. */
    byte[] buckets();

    /** This instance, and the instances of the fleet with their slots. */
    byte[] instances();

    /** The number of the latest event. */
    long latestEvent();

    /** The events with greater numbers. There must be at least one. */
    byte[] eventsAfter(long number);

    /** One bucket in detail; empty when there is no such bucket, or its loop does not answer. */
    Optional<byte[]> detail(String bucket);

    /** The points of the bucket's last quarter of an hour after a time in milliseconds. */
    Optional<byte[]> historyAfter(String bucket, long millis);

    /** The buckets whose history the overview draws: all of them while they are few, otherwise none. */
    List<String> drawnTogether();

    /** The time of the bucket's latest point; {@link Long#MIN_VALUE} without one. */
    long latestPoint(String bucket);
}

package dev.comporta.app.live;

import java.util.List;
import java.util.Optional;

/** What an instance has to tell its live pages. Each is rendered when it is asked for. Not for event loops: they wait. */
interface LiveMessages {
    /** Every bucket in a row of figures. */
    byte[] buckets();

    /** This instance, and the instances of the fleet with their slots. */
    byte[] instances();

    /** The number of the latest event. */
    long latestEvent();

    /** Events with greater numbers, of which there are some. */
    byte[] eventsAfter(long number);

    /** One bucket in detail; empty when there is no such bucket, or its loop does not answer. */
    Optional<byte[]> detail(String bucket);

    /** The bucket's last quarter of an hour, from its first point after a time in milliseconds on. */
    Optional<byte[]> historyAfter(String bucket, long millis);

    /** The buckets whose history is drawn where all buckets are shown: all of them while they are few, otherwise none. */
    List<String> drawnTogether();

    /** The time of the bucket's latest point; {@link Long#MIN_VALUE} without one. */
    long latestPoint(String bucket);
}

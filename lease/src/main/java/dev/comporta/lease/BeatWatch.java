package dev.comporta.lease;

import java.util.HashMap;
import java.util.Map;

/**
 * When this instance first saw each instance's present beat, by its own monotonic clock: a store without a clock does not
 * know when a beat was written, and the clocks of two machines are never compared. Times are milliseconds. Any thread.
 */
public final class BeatWatch {
    /** An instance's beat as it was read: its process, and how many beats that has written. */
    public record Beat(String process, long count) {}

    /** The source of a beat: of two processes under one name, which overwrite each other's beats, both are seen. */
    private record Who(String instance, String process) {}

    private record Seen(long count, long at) {}

    private final Map<Who, Seen> seen = new HashMap<>();
    private long readAt = Long.MIN_VALUE;

    /**
     * Records a read of all beats. A beat that is missing has expired or was deleted, which shows nothing about its
     * instance: the last one seen still counts.
     *
     * @param sentAt when the read was sent: a beat written before is in it
     * @param receivedAt when its answer came: a beat that is in it was written before
     */
    public synchronized void saw(Map<String, Beat> beats, long sentAt, long receivedAt) {
        beats.forEach((instance, beat) -> {
            Who who = new Who(instance, beat.process);
            Seen last = seen.get(who);
            if (last == null || last.count != beat.count) {
                seen.put(who, new Seen(beat.count, receivedAt));
            }
        });
        readAt = Math.max(readAt, sentAt);
    }

    /** When the last beat of this process was first seen; long ago if none was. */
    synchronized long heardAt(String instance, String process) {
        Seen last = seen.get(new Who(instance, process));
        return last == null ? Long.MIN_VALUE : last.at;
    }

    /** When the last read of all beats was sent. */
    public synchronized long readAt() {
        return readAt;
    }
}

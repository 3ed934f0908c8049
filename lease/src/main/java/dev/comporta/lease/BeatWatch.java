package dev.comporta.lease;

import java.util.HashMap;
import java.util.Map;

/**
 * When this instance first saw each instance's present beat, by its own monotonic clock: a store without a clock can't tell
 * when a beat was written, and nobody compares the clocks of two machines. Times are milliseconds. Any thread.
 */
public final class BeatWatch {
    /** What is read of an instance: its process, and how often that has beaten. */
    public record Beat(String process, long count) {}

    /** Of two processes under one name, which overwrite each other's beats, each is seen. */
    private record Who(String instance, String process) {}

    private record Seen(long count, long at) {}

    private final Map<Who, Seen> seen = new HashMap<>();
    private long readAt = Long.MIN_VALUE;

    /**
     * All beats were read. One that is missing was swept up or deleted, which says nothing of its instance: what was last
     * seen of it still counts.
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

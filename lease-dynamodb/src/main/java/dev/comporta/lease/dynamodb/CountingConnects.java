package dev.comporta.lease.dynamodb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The connects that count against the rate, as one instance knows them. No two clocks are compared: an instance counts its
 * own permits from their grant, and those of others from when it first saw them, which is later. So they count at least for
 * their whole time, whichever instance is the first to remove them from the item. Written as {@code grant:millis:connects}.
 */
final class CountingConnects {
    /**
     * @param id the instance that got the permits, and the number of its grant
     * @param millis for how long they count
     * @param end the time until which they count, by this instance's clock
     */
    private record Grant(String id, long millis, int connects, long end) {
        String text() {
            return id + ":" + millis + ":" + connects;
        }
    }

    private final String me;
    private long grants;
    private List<Grant> counting = new ArrayList<>();
    /** The ends of all grants in the item, also of expired ones that no instance has removed yet. */
    private Map<String, Long> ends = new HashMap<>();

    private int inAll;

    /** @param me a name that no other instance has, in this process or another */
    CountingConnects(String me) {
        this.me = me;
    }

    /** Reads the grants that an instance wrote. A grant that is no longer among them counts no more. */
    void read(String text, long nowMillis) {
        Map<String, Long> known = ends;
        ends = new HashMap<>();
        counting = new ArrayList<>();
        inAll = 0;
        for (String entry : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            String[] parts = entry.split(":", -1);
            long millis = Long.parseLong(parts[1]);
            long end = known.getOrDefault(parts[0], nowMillis + millis);
            note(new Grant(parts[0], millis, Integer.parseInt(parts[2]), end), nowMillis);
        }
    }

    private void note(Grant grant, long nowMillis) {
        ends.put(grant.id, grant.end);
        if (grant.end > nowMillis) {
            counting.add(grant);
            inAll += grant.connects;
        }
    }

    /** Adds permits that this instance gets now. */
    void add(int connects, long millis, long nowMillis) {
        grants++;
        note(new Grant(me + "." + grants, millis, connects, nowMillis + millis), nowMillis);
    }

    int inAll() {
        return inAll;
    }

    /** When at most this many will count. */
    long whenAtMost(int most, long nowMillis) {
        List<Grant> byEnd = new ArrayList<>(counting);
        byEnd.sort(Comparator.comparingLong(Grant::end));
        int left = inAll;
        long when = nowMillis;
        for (Grant grant : byEnd) {
            if (left <= most) {
                break;
            }
            left -= grant.connects;
            when = grant.end;
        }
        return when;
    }

    String text() {
        return counting.stream().map(Grant::text).collect(Collectors.joining(" "));
    }
}

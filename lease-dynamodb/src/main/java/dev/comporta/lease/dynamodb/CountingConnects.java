package dev.comporta.lease.dynamodb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The connects that count against the rate, as one instance knows them. No clock is compared with another one: an instance knows
 * when it got its own permits, and of others' only when it first saw them, which is later. By either they count for their whole
 * time at least, whichever instance is the first to leave them out of what it writes. Written as {@code
 * grant:millis:connects}.
 */
final class CountingConnects {
    /**
     * @param id the instance that got the permits, and which of its grants it was
     * @param millis for how long they count
     * @param end until when they count, by this instance's clock
     */
    private record Grant(String id, long millis, int connects, long end) {
        String text() {
            return id + ":" + millis + ":" + connects;
        }
    }

    private final String me;
    private long grants;
    private List<Grant> counting = new ArrayList<>();
    /** The ends of all that are written, also of those that count no more and that nobody has left out yet. */
    private Map<String, Long> ends = new HashMap<>();

    private int inAll;

    /** @param me differs from that of any other, in this process or another */
    CountingConnects(String me) {
        this.me = me;
    }

    /** What an instance wrote, all that counted then: what is not in it any more counts no more. */
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

    /** Permits that this instance gets now. */
    void add(int connects, long millis, long nowMillis) {
        grants++;
        note(new Grant(me + "." + grants, millis, connects, nowMillis + millis), nowMillis);
    }

    int inAll() {
        return inAll;
    }

    /** When no more than this many count. */
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

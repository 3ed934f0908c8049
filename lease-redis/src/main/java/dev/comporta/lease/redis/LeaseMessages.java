package dev.comporta.lease.redis;

import dev.comporta.lease.store.Announcement;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LeaseReply.Member;
import dev.comporta.lease.store.LimitWord;
import java.util.ArrayList;
import java.util.List;

/** The text form of calls, answers and announcements. */
final class LeaseMessages {
    private static final int MEMBER_FIELDS = 6;

    private LeaseMessages() {}

    static String[] arguments(String instance, String channelPrefix, boolean sharded, LeaseCall c, long ttlMillis) {
        return new String[] {
            instance,
            channelPrefix,
            sharded ? "SPUBLISH" : "PUBLISH",
            c.form().name(),
            Long.toString(c.incarnation()),
            Long.toString(c.seq()),
            Long.toString(c.acked()),
            Long.toString(c.seen()),
            Long.toString(c.returned()),
            Long.toString(c.asked()),
            Integer.toString(c.atOnce()),
            Integer.toString(c.idle()),
            Integer.toString(c.limit().max()),
            Long.toString(c.limit().version()),
            Long.toString(c.limit().change().version()),
            Integer.toString(c.limit().change().max()),
            Integer.toString(c.fleet()),
            Long.toString(ttlMillis)
        };
    }

    static LeaseReply reply(List<?> fields) {
        List<?> flat = (List<?>) fields.get(10);
        List<Member> fleet = new ArrayList<>();
        for (int i = 0; i < flat.size(); i += MEMBER_FIELDS) {
            fleet.add(new Member(
                    flat.get(i).toString(),
                    (int) number(flat.get(i + 1)),
                    (int) number(flat.get(i + 2)),
                    (int) number(flat.get(i + 3)),
                    (int) number(flat.get(i + 4)),
                    number(flat.get(i + 5))));
        }
        return new LeaseReply(
                LeaseReply.Status.valueOf(fields.get(0).toString()),
                number(fields.get(1)),
                number(fields.get(2)),
                (int) number(fields.get(3)),
                (int) number(fields.get(4)),
                (int) number(fields.get(5)),
                new LimitWord.Change(number(fields.get(6)), (int) number(fields.get(7))),
                number(fields.get(8)),
                number(fields.get(9)),
                fleet,
                0);
    }

    private static long number(Object field) {
        return field instanceof Long value ? value : Long.parseLong(field.toString());
    }

    static ConnectPermits permits(List<?> fields, long ageNanos) {
        return new ConnectPermits((int) number(fields.get(0)), number(fields.get(1)), ageNanos);
    }

    static Announcement announcement(String text) {
        String[] parts = text.split(" ", -1);
        return new Announcement(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]));
    }
}

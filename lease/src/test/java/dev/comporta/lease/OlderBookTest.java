package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A book that was put back from a copy, in the same table. Three things betray it, and each of them is what keeps the limit in one
 * of these tests: how often it was written, what it has granted, and which calls it has.
 */
class OlderBookTest {
    private static final int LIMIT = 3;
    private static final String TABLE = "the same table";

    private long now = 1_000_000;

    /** An item that is compared and set. */
    private LeaseBook book = new LeaseBook();

    private long writes;

    /** An instance, and what it knows. */
    private final class Instance {
        final BookKeeper keeper;
        long seq;
        long acked;
        long seen;
        long asked;

        Instance(String name) {
            keeper = new BookKeeper(
                    "process of " + name,
                    new LeaseSettings(name, Duration.ofSeconds(10), Duration.ofSeconds(30), true, 2),
                    new BeatWatch());
        }

        /** Calls, and believes the answer. */
        LeaseReply call(LeaseCall.Form form) {
            now++;
            LeaseCall call =
                    new LeaseCall(form, 1, ++seq, acked, seen, 0, asked, 0, 0, LimitWord.asStarted(LIMIT), 2, now);
            BookKeeper.Ruling ruling = keeper.rule(book, writes, call, false, TABLE, true, now);
            if (ruling.isChanged()) {
                book = ruling.book();
                writes = ruling.writes();
            }
            LeaseReply reply = keeper.settle(ruling, call, now, now);
            if (reply.status() == LeaseReply.Status.OK) {
                acked = seq;
                seen = Math.max(seen, reply.granted());
            }
            return reply;
        }

        void ask(int slots) {
            asked = seen + slots;
        }
    }

    private record Copy(LeaseBook book, long writes) {}

    private Copy copy() {
        return new Copy(book.copy(), writes);
    }

    private void putBack(Copy copy) {
        book = copy.book.copy();
        writes = copy.writes;
    }

    private Instance joined(String name) {
        Instance made = new Instance(name);
        assertThat(made.call(LeaseCall.Form.JOIN).status()).isEqualTo(LeaseReply.Status.OK);
        return made;
    }

    /** Nothing is granted by it until everybody has had the time to say what it holds. */
    private static void assertDoubted(LeaseReply reply, long granted) {
        assertThat(reply.granted()).isLessThanOrEqualTo(granted);
        assertThat(reply.status() == LeaseReply.Status.AGAIN || reply.opensInMillis() > 0)
                .as("doubted: %s", reply)
                .isTrue();
    }

    @Test
    void whoHasSeenItWrittenMoreOftenDoubtsItThoughItLacksNothingOfItsOwn() {
        Instance a = joined("a");
        Instance b = joined("b");
        Copy copy = copy();
        a.ask(2);
        assertThat(a.call(LeaseCall.Form.SYNC).granted()).isEqualTo(2);
        b.call(LeaseCall.Form.SYNC); // it reads, and writes nothing
        putBack(copy);
        b.ask(LIMIT);
        assertDoubted(b.call(LeaseCall.Form.SYNC), 0);
    }

    /** Written often enough since it was put back, by an instance that does not know better. */
    @Test
    void whoHasMoreThanItHasGrantedDoubtsIt() {
        Instance a = joined("a");
        Instance b = joined("b");
        b.ask(LIMIT);
        b.call(LeaseCall.Form.SYNC);
        a.ask(1);
        a.call(LeaseCall.Form.SYNC); // it stands in line
        Copy copy = copy();
        a.seen = 1; // told by an announcement, when b gave one back
        putBack(copy);
        assertDoubted(a.call(LeaseCall.Form.SYNC), 1);
    }

    @Test
    void whoseCallItLacksDoubtsItHoweverOftenItWasWrittenSince() {
        Instance b = joined("b");
        b.ask(LIMIT);
        b.call(LeaseCall.Form.SYNC);
        Instance a = joined("a");
        Copy copy = copy();
        a.ask(1);
        assertThat(a.call(LeaseCall.Form.SYNC).granted()).isZero(); // it stands in line
        putBack(copy);
        Instance newcomer = joined("c");
        for (int i = 1; i <= LIMIT; i++) {
            newcomer.ask(i);
            newcomer.call(LeaseCall.Form.SYNC);
        }
        assertThat(writes).isGreaterThan(copy.writes + 2);
        assertDoubted(a.call(LeaseCall.Form.SYNC), 0);
    }
}

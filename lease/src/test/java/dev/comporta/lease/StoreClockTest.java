package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store's clock is set back by an hour, and nothing that was due within seconds becomes due an hour later. */
class StoreClockTest {
    private static final long TTL = 30_000;
    private static final long HEARTBEAT = 10_000;
    private static final long HOUR = 3_600_000;
    private static final int LIMIT = 2;

    private final LeaseBook book = new LeaseBook();
    private long now = 1_700_000_000_000L;

    /** An instance, and what it knows. */
    private final class Instance {
        final String name;
        long seq;
        long seen;
        long asked;

        Instance(String name) {
            this.name = name;
            assertThat(call(LeaseCall.Form.JOIN).status()).isEqualTo(LeaseReply.Status.OK);
        }

        LeaseReply call(LeaseCall.Form form) {
            LeaseCall call =
                    new LeaseCall(form, 1, ++seq, 0, seen, 0, seen + asked, 0, 0, LimitWord.asStarted(LIMIT), 2, 0);
            LeaseReply reply = book.lease(name, call, "server", true, TTL, now);
            asked -= Math.min(asked, reply.granted() - seen);
            seen = reply.granted();
            return reply;
        }

        LeaseReply sync() {
            return call(LeaseCall.Form.SYNC);
        }

        void ask(int slots) {
            asked += slots;
            sync();
        }
    }

    private Instance a;

    @BeforeEach
    void firstInstance() {
        a = new Instance("a");
    }

    private void setBack() {
        now -= HOUR;
    }

    @Test
    void fewerInstancesThanExpectedStillGetSlots() {
        setBack();
        a.ask(1);
        assertThat(a.seen).isEqualTo(1);
    }

    @Test
    void slotsOfADeadInstanceAreBackAfterItsTimeToLiveAndNotBefore() {
        Instance b = new Instance("b");
        a.ask(LIMIT);
        assertThat(a.seen).isEqualTo(LIMIT);
        setBack();
        b.ask(LIMIT);
        for (long passed = HEARTBEAT; passed <= TTL; passed += HEARTBEAT) {
            assertThat(b.seen).isZero();
            now += HEARTBEAT;
            b.sync();
        }
        assertThat(b.seen).isEqualTo(LIMIT);
    }

    /** The steps forth end it by as much as the steps back have prolonged it. */
    @Test
    void smallStepsBackAndForthEndNoLeaseEarly() {
        Instance b = new Instance("b");
        a.ask(LIMIT);
        for (long step = 0; step <= TTL; step += 900) {
            now -= 900;
            b.sync();
            now += 900;
            b.sync();
        }
        b.ask(LIMIT);
        assertThat(b.seen).isZero();
    }

    @Test
    void instanceInNeedGetsItsShareAsSoonAsBefore() {
        Instance b = new Instance("b");
        a.ask(LIMIT);
        b.ask(1);
        setBack();
        assertThat(b.sync().status()).isEqualTo(LeaseReply.Status.OK);
        now += BookPress.PATIENCE;
        b.sync();
        assertThat(a.sync().hard()).isEqualTo(1);
    }

    @Test
    void aNewEpochOpensWhenLeasesHaveEnded() {
        a.ask(1);
        LeaseCall late = new LeaseCall(
                LeaseCall.Form.SYNC, 1, ++a.seq, 0, a.seen, 0, a.seen, 0, 0, LimitWord.asStarted(LIMIT), 2, 0);
        assertThat(book.lease("a", late, "another server", true, TTL, now).opensInMillis())
                .isEqualTo(TTL);
        setBack();
        LeaseCall hello = new LeaseCall(
                LeaseCall.Form.HELLO, 2, ++a.seq, 0, a.seen, 0, a.seen + 1, 0, 0, LimitWord.asStarted(LIMIT), 2, 0);
        assertThat(book.lease("a", hello, "another server", true, TTL, now).opensInMillis())
                .isEqualTo(TTL);
    }
}

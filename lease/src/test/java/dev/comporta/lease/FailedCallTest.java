package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.LeasePort;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a call that failed says depends on when that is known: while the lease holds, or after it. */
class FailedCallTest implements SlotAccount.Answers {
    private static final int LIMIT = 12;
    private static final int INSTANCES = 3;

    private final SlotAccount account =
            new SlotAccount(new LeaseTerms(100, 90, true, INSTANCES), 1, LimitWord.asStarted(LIMIT));
    private int usable;

    @BeforeEach
    void allSlotsAreGranted() {
        account.ask(LIMIT, LeasePort.Patience.IN_LINE);
        LeaseCall call = account.call(0);
        LeaseReply all = new LeaseReply(
                LeaseReply.Status.OK,
                call.incarnation(),
                LIMIT,
                0,
                0,
                LIMIT,
                LimitWord.Change.NONE,
                0,
                0,
                List.of(new LeaseReply.Member("a", LIMIT, 0, 0, LIMIT, 100)));
        account.answered(all, 1, this);
        assertThat(usable).isEqualTo(LIMIT);
    }

    @Test
    void whoKnowsOfTroubleBeforeItsLeaseIsOverKeepsItsShare() {
        account.call(50);
        account.failed(80, this);
        assertThat(usable).isEqualTo(LIMIT);
        account.pump(95, this);
        assertThat(usable).isEqualTo(LIMIT / INSTANCES);
    }

    @Test
    void whoHearsOfItAfterAPauseInWhichItsLeaseEndedKeepsNothing() {
        account.call(50);
        account.failed(200, this);
        assertThat(usable).isZero();
    }

    @Override
    public void granted(int slots) {
        usable += slots;
    }

    @Override
    public void revoked(int slots) {
        usable -= slots;
    }

    @Override
    public void queued(int slots) {}

    @Override
    public void denied(int slots) {}

    @Override
    public void withdrawn(int slots) {}

    @Override
    public void demanded(int slots) {}
}

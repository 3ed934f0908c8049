package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import dev.comporta.pool.lease.LeasePort.Patience;
import dev.comporta.pool.lease.SlotAnswers;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What an account makes of trouble, of a pause, and of connections that stay open beyond their lease. A lease lasts 100, 90 of
 * them by our own clock; the model checker sees to what becomes of all this in a fleet.
 */
class SlotAccountTest implements SlotAnswers {
    private static final int LIMIT = 12;
    private static final int SHARE = 4;

    private final SlotAccount account =
            new SlotAccount(new LeaseTerms(100, 90, true, LIMIT / SHARE), 1, LimitWord.asStarted(LIMIT));
    /** What the bucket was handed, and is not revoked. */
    private int usable;

    private int demanded;

    /** At 0, from then on until 90. */
    private void leased(int slots) {
        account.ask(slots, Patience.IN_LINE);
        account.call(0);
        answered(LeaseReply.Status.OK, slots, 0, 1);
        assertThat(usable).isEqualTo(slots);
    }

    private void answered(LeaseReply.Status status, int granted, int hard, long now) {
        List<LeaseReply.Member> fleet = List.of(new LeaseReply.Member("a", granted, 0, 0, LIMIT, 100));
        LeaseReply reply = new LeaseReply(
                status, account.incarnation, granted, 0, hard, LIMIT, LimitWord.Change.NONE, 0, 0, fleet, 0);
        account.answered(reply, now, this);
    }

    /** A call fails while the lease still holds. */
    private void troubled() {
        account.call(50);
        account.failed(80, this);
    }

    @Test
    void whoKnowsOfTroubleBeforeItsLeaseIsOverKeepsItsShare() {
        leased(LIMIT);
        troubled();
        assertThat(usable).isEqualTo(LIMIT);
        account.pump(95, this);
        assertThat(usable).isEqualTo(SHARE);
    }

    @Test
    void noMoreThanThatMayBeUsedEvenIfNothingElseHappensFirst() {
        leased(LIMIT);
        troubled();
        account.enforce(95, this);
        assertThat(usable).isEqualTo(SHARE);
    }

    @Test
    void whoHearsOfItAfterAPauseInWhichItsLeaseEndedKeepsNothing() {
        leased(LIMIT);
        account.call(50);
        account.failed(200, this);
        assertThat(usable).isZero();
    }

    @Test
    void growsToItsShareOnlyWhenAllOthersMustHaveComeDownToTheirs() {
        leased(1);
        troubled();
        account.ask(SHARE, Patience.IN_LINE);
        account.pump(95, this);
        assertThat(account.standing).isEqualTo(SlotAccount.Standing.FALLBACK);
        account.pump(179, this);
        assertThat(usable).isEqualTo(1);
        account.pump(180, this);
        assertThat(usable).isEqualTo(SHARE);
    }

    /** The store granted it to one who was denied meanwhile, and the announcement was lost. */
    @Test
    void slotThatNobodyWaitsForAnyMoreServesWhoWantsOneAtOnceAndIsNotAskedForAgain() {
        leased(1);
        account.call(10);
        account.ask(1, Patience.AT_ONCE);
        answered(LeaseReply.Status.OK, 2, 0, 11);
        assertThat(usable).isEqualTo(2);
        assertThat(account.call(12).atOnce()).isZero();
    }

    @Test
    void doesNotGrowByItselfOnceTheStoreIsHeard() {
        leased(1);
        troubled();
        account.pump(200, this);
        account.call(200);
        answered(LeaseReply.Status.AGAIN, 0, 0, 201);
        account.ask(1, Patience.IN_LINE);
        account.pump(202, this);
        assertThat(usable).isEqualTo(1);
    }

    @Test
    void whatWasAnnouncedBeforeDoesNotCountInFallback() {
        leased(SHARE);
        troubled();
        account.pump(95, this);
        account.announced(account.incarnation, SHARE + 2, 0, 96, this);
        assertThat(usable).isEqualTo(SHARE);
    }

    @Test
    void whatIsGivenBackInFallbackIsNotToldAsReturnedForTheStoreMayNotHaveGrantedIt() {
        leased(SHARE);
        troubled();
        account.pump(95, this);
        account.giveBack(1);
        LeaseCall call = account.call(96);
        assertThat(call.form()).isEqualTo(LeaseCall.Form.HELLO);
        assertThat(call.seen()).isEqualTo(SHARE - 1);
        assertThat(call.returned()).isZero();
    }

    @Test
    void whatIsOpenBeyondItsLeaseIsToldUntilItIsClosed() {
        leased(LIMIT);
        account.enforce(200, this);
        assertThat(usable).isZero();
        LeaseCall first = account.call(200);
        assertThat(first.form()).isEqualTo(LeaseCall.Form.HELLO);
        assertThat(first.seen() - first.returned()).isEqualTo(LIMIT);
        answered(LeaseReply.Status.OK, LIMIT, 0, 201);
        assertThat(account.usable()).as("in the books again, but given up").isZero();
        account.closeOutlived(5);
        LeaseCall next = account.call(202);
        assertThat(next.seen() - next.returned()).isEqualTo(LIMIT - 5);
    }

    @Test
    void whatWasOnItsWayBackWhenItWasRevokedIsClosedOnce() {
        leased(LIMIT);
        account.enforce(200, this);
        account.giveBack(1);
        assertThat(account.held()).isEqualTo(LIMIT - 1);
        assertThat(account.usable()).isZero();
    }

    @Test
    void inFallbackWhatIsOpenBeyondItsLeaseLeavesNoRoomToGrow() {
        leased(LIMIT);
        troubled();
        account.pump(95, this);
        account.giveBack(SHARE);
        account.ask(SHARE, Patience.IN_LINE);
        account.pump(200, this);
        assertThat(account.usable()).isZero();
        account.closeOutlived(LIMIT - SHARE - 1);
        account.pump(201, this);
        assertThat(account.usable()).isEqualTo(SHARE - 1);
    }

    @Test
    void whatOutlivedItsLeaseIsBeingGivenUpAlreadyAndNotDemandedOnceMore() {
        leased(LIMIT);
        troubled();
        account.pump(95, this);
        account.call(96);
        answered(LeaseReply.Status.OK, LIMIT, LIMIT - SHARE, 97);
        assertThat(demanded).isZero();
        account.announced(account.incarnation, LIMIT, LIMIT - SHARE + 1, 98, this);
        assertThat(demanded).isEqualTo(1);
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
    public void demanded(int slots) {
        demanded += slots;
    }

    @Override
    public void queued(int slots) {}

    @Override
    public void denied(int slots) {}

    @Override
    public void withdrawn(int slots) {}
}

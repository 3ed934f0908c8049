package dev.comporta.proxy.relay;

import static dev.comporta.proxy.relay.known.HandOver.APPLY_FIRST;
import static dev.comporta.proxy.relay.known.HandOver.AS_IT_IS;
import static dev.comporta.proxy.relay.known.HandOver.RESET_WITH_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.comporta.proxy.relay.known.HandOver;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.sql.SetOption;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HandOverTest {
    private static final SessionState NEW = SessionState.AS_LOGGED_IN;
    private static final SessionState MONDAYS = NEW.with(SetOption.DATEFIRST, "1");
    private static final SessionState SUNDAYS = NEW.with(SetOption.DATEFIRST, "7");
    private static final SessionState SNAPSHOT = NEW.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "SNAPSHOT");
    private static final String PLAIN = "SELECT 1";
    private static final String READS_BACK = "SELECT @@IDENTITY";
    private static final boolean ANOTHERS = true;
    private static final boolean TAINTED = true;

    /** Wanted, present, whether it was another client's, whether it is tainted, the request: what has to be done. */
    static Stream<Arguments> table() {
        return Stream.of(
                // One's own, as it was left.
                arguments(NEW, NEW, false, false, PLAIN, AS_IT_IS),
                arguments(NEW, NEW, false, TAINTED, READS_BACK, AS_IT_IS),
                arguments(MONDAYS, MONDAYS, false, false, PLAIN, AS_IT_IS),
                arguments(MONDAYS, MONDAYS, false, TAINTED, READS_BACK, AS_IT_IS),
                // Another's, for who has set nothing.
                arguments(NEW, NEW, ANOTHERS, false, PLAIN, RESET_WITH_REQUEST),
                arguments(NEW, NEW, ANOTHERS, TAINTED, READS_BACK, RESET_WITH_REQUEST),
                arguments(NEW, MONDAYS, ANOTHERS, false, PLAIN, RESET_WITH_REQUEST),
                // No reset brings the isolation level back.
                arguments(NEW, SNAPSHOT, ANOTHERS, false, PLAIN, APPLY_FIRST),
                arguments(SNAPSHOT, NEW, ANOTHERS, false, PLAIN, APPLY_FIRST),
                // Another's, for who has set something.
                arguments(MONDAYS, MONDAYS, ANOTHERS, false, PLAIN, AS_IT_IS),
                arguments(MONDAYS, MONDAYS, ANOTHERS, TAINTED, PLAIN, APPLY_FIRST),
                arguments(MONDAYS, MONDAYS, ANOTHERS, false, READS_BACK, APPLY_FIRST),
                arguments(MONDAYS, SUNDAYS, ANOTHERS, false, PLAIN, APPLY_FIRST),
                arguments(MONDAYS, NEW, ANOTHERS, false, PLAIN, APPLY_FIRST),
                // One's own, and not as it was left: it was reset since, or one was.
                arguments(MONDAYS, NEW, false, false, PLAIN, APPLY_FIRST),
                arguments(NEW, MONDAYS, false, false, PLAIN, RESET_WITH_REQUEST),
                // Not every server's reset goes back to the login's database.
                arguments(NEW, NEW.inDatabase("Other"), ANOTHERS, false, PLAIN, APPLY_FIRST));
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyCaseHasItsPlan(
            SessionState wanted, SessionState present, boolean anothers, boolean tainted, String sql, HandOver plan) {
        assertThat(plan(wanted, present, anothers, tainted, Requests.batch(sql)))
                .isEqualTo(plan);
    }

    @Test
    void aRequestThatRunsWhatIsNotInItsTextGetsAReset() {
        for (ByteBuf request : List.of(
                Requests.batch("EXEC p"),
                Requests.calls(RpcCall.of("p")),
                Requests.calls(RpcCall.of(SystemProcedure.EXECUTE)))) {
            assertThat(plan(MONDAYS, MONDAYS, ANOTHERS, false, request)).isEqualTo(APPLY_FIRST);
        }
    }

    @Test
    void whereTheSettingsAreNotKnownNoResetAloneWillDo() {
        SessionKnowledge known = known(ServerHabits.TELLS);
        known.doubtSettings();
        known.reset();
        assertThat(HandOver.plan(NEW, known, ANOTHERS, false, Requests.inspected(Requests.batch(PLAIN))))
                .isEqualTo(APPLY_FIRST);
    }

    /** Babelfish's reset turns implicit transactions on after SET ANSI_DEFAULTS, which a procedure may do unseen. */
    @Test
    void whereAResetMayNotPutAllBackItIsNotEnoughAfterWhatIsNotProven() {
        SessionKnowledge known = known(ServerHabits.ASKED);
        assertThat(HandOver.plan(NEW, known, ANOTHERS, false, Requests.inspected(Requests.batch(PLAIN))))
                .isEqualTo(RESET_WITH_REQUEST);
        known.doubt();
        known.reset();
        assertThat(HandOver.plan(NEW, known, ANOTHERS, false, Requests.inspected(Requests.batch(PLAIN))))
                .isEqualTo(APPLY_FIRST);
        assertThat(NEW.toSql("AppDB", true)).startsWith("USE [AppDB];SET IMPLICIT_TRANSACTIONS OFF;");
    }

    /** What the client before has set is known, and that this server's reset turns it off again is not. */
    @Test
    void implicitTransactionsThatAResetMayNotTurnOffAreTurnedOff() {
        SessionState implicit = NEW.with(SetOption.IMPLICIT_TRANSACTIONS, "ON");
        for (ServerHabits habits : List.of(ServerHabits.ASKED, ServerHabits.ASKED_ALWAYS)) {
            SessionKnowledge known = known(habits);
            known.broughtInto(implicit);
            assertThat(HandOver.plan(NEW, known, ANOTHERS, false, Requests.inspected(Requests.batch(PLAIN))))
                    .isEqualTo(APPLY_FIRST);
        }
        assertThat(plan(NEW, implicit, ANOTHERS, false, Requests.batch(PLAIN))).isEqualTo(RESET_WITH_REQUEST);
    }

    /** A client's own reset, or a health check's, is no better proof. */
    @Test
    void implicitTransactionsStayInDoubtBehindAResetThatMayNotTurnThemOff() {
        SessionState implicit = NEW.with(SetOption.IMPLICIT_TRANSACTIONS, "ON");
        SessionKnowledge known = known(ServerHabits.ASKED);
        known.broughtInto(implicit);
        known.reset();
        assertThat(known.mayBeImplicit(NEW)).isTrue();
        assertThat(HandOver.plan(NEW, known, ANOTHERS, false, Requests.inspected(Requests.batch(PLAIN))))
                .isEqualTo(APPLY_FIRST);
        known.broughtInto(NEW);
        assertThat(known.mayBeImplicit(NEW)).isFalse();

        SessionKnowledge telling = known(ServerHabits.TELLS);
        telling.broughtInto(implicit);
        telling.reset();
        assertThat(telling.mayBeImplicit(NEW)).isFalse();
    }

    @Test
    void aDatabaseThatAResetMayNotPutBackIsNamed() {
        SessionKnowledge known = known(ServerHabits.ASKED);
        known.broughtInto(NEW.inDatabase("Other"));
        known.reset();
        assertThat(HandOver.plan(NEW, known, ANOTHERS, false, Requests.inspected(Requests.batch(PLAIN))))
                .isEqualTo(APPLY_FIRST);
    }

    @Test
    void aRequestWhoseEndIsNotThereYetMayAskForAnything() {
        ByteBuf first = Requests.batch(PLAIN);
        PacketHeader.setStatus(first, 0);
        assertThat(plan(MONDAYS, MONDAYS, ANOTHERS, false, first)).isEqualTo(APPLY_FIRST);
    }

    @Test
    void whoAsksForAResetGetsOneThoughTheStateIsTheSame() {
        ByteBuf first = Requests.batch(PLAIN);
        PacketHeader.setStatus(first, PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        assertThat(plan(SNAPSHOT, SNAPSHOT, ANOTHERS, false, first)).isEqualTo(APPLY_FIRST);
    }

    @Test
    void aResetThatKeepsTheTransactionIsAPlainOneWhereThereIsNone() {
        ByteBuf first = Requests.batch(PLAIN);
        PacketHeader.setStatus(
                first,
                PacketHeader.STATUS_EOM
                        | PacketHeader.STATUS_RESETCONNECTION
                        | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN);
        HandOver.simplifyReset(first);
        assertThat(PacketHeader.status(first)).isEqualTo(PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
    }

    private static HandOver plan(
            SessionState wanted, SessionState present, boolean anothers, boolean tainted, ByteBuf first) {
        SessionKnowledge known = known(ServerHabits.TELLS);
        known.broughtInto(present);
        if (tainted) {
            known.doubt();
        }
        return HandOver.plan(wanted, known, anothers, HandOver.asksReset(first), Requests.inspected(first));
    }

    private static SessionKnowledge known(ServerHabits habits) {
        SessionKnowledge known = new SessionKnowledge("");
        known.habits(habits);
        return known;
    }
}

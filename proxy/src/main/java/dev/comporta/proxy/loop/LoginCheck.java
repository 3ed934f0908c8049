package dev.comporta.proxy.loop;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.session.SessionState;

/**
 * Checks credentials by opening a server connection with them.
 *
 * @param about the pool whose clients wait for the result
 * @param through the pool in which the connection is opened: the same, or a separate one if there are connections already,
 *     which would prove nothing
 */
public record LoginCheck(ServerPool about, ServerPool through, BucketRunner runner, Outcome outcome)
        implements Requester, CheckTurns.Check {
    /** Receives the result. */
    public interface Outcome {
        /** The server has accepted the check's login. */
        void accepted(LoginCheck check);

        /** The check got no connection, or the server has not accepted its login. */
        void refused(LoginCheck check, Refusal why);
    }

    @Override
    public void begin() {
        runner.requestLogin(new Waiter(this), through.pool(), SessionState.AS_LOGGED_IN);
    }

    @Override
    public void attached(PooledServer server) {
        runner.release(server.connection(), server.session().state(), true);
        outcome.accepted(this);
    }

    @Override
    public long clientId() {
        return 0;
    }

    @Override
    public void refused(Refusal why) {
        outcome.refused(this, why);
    }

    @Override
    public void lost() {
        outcome.refused(this, Refusal.SERVER_UNAVAILABLE);
    }
}

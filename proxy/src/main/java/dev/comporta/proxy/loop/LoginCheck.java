package dev.comporta.proxy.loop;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.session.SessionState;

/**
 * A question to the server: are these credentials good? Asked by opening a connection with them.
 *
 * @param about the pool whose clients wait for the answer
 * @param through the pool in which the connection is opened: the same, or one of its own where there are connections
 *     already, which would prove nothing
 */
public record LoginCheck(ServerPool about, ServerPool through, BucketRunner runner, Outcome outcome)
        implements Requester {
    /** Is told the result. */
    public interface Outcome {
        /** The server has let the check's connection in. */
        void accepted(LoginCheck check);

        /** The check got no connection, or the server did not let it in. */
        void refused(LoginCheck check, Refusal why);
    }

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

package dev.comporta.proxy.relay;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;

/** What the bucket does for its clients. */
public interface ClientHost {
    /** The client's place in the queue, for its whole life. */
    default Waiter waiter(ClientRequest request) {
        return new Waiter(request);
    }

    /** Finds a server connection: {@link ClientRequest#attached} or {@link ClientRequest#refused} follows, maybe from inside the call. */
    void acquire(ClientRequest request);

    /** @return whether it was still waiting */
    boolean cancel(ClientRequest request);

    /**
     * Whether a client that has got this connection, and has not used it yet, may begin to. Not if its lease has ended
     * meanwhile, in a pause of this process most likely: then it has to be released, and another waited for.
     */
    boolean mayUse(ServerSession server);

    /** The client is done with its connection, which is clean as far as its session state tells. */
    void release(ServerSession server, SessionState left);

    /** The client is done with its connection and has left a transaction or more in it. */
    void releaseDirty(ServerSession server);

    /** The client is gone while the server still answers. */
    void abandon(ServerSession server);

    /** The client is gone while the server is asked for its transaction. */
    void abandonProbe(ServerSession server);

    /** The connection is of no use any more. */
    void discard(ServerSession server);

    void pin(ServerSession server, PinReason reason);

    void unpin(ServerSession server);

    /** May be told more than once. */
    void left(ClientSession client);

    /** Whether clients keep their connection from login to leaving. */
    boolean isSessionMode();

    /** Whether a client keeps its connection for the request after one that has left a result to ask for. */
    boolean keepsResults();

    /** Which procedures pin their caller. */
    ProcedureRules procedures();

    /** Nanoseconds since some moment. */
    long now();

    /** What a client is told, and to do, when it is refused. */
    String advice(Refusal why);

    /** What a client is told when its request took too long. */
    String timeoutAdvice();
}

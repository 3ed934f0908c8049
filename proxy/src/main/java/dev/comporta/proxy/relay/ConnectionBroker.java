package dev.comporta.proxy.relay;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.prepared.PreparedTexts;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.SlowRequests;

/** What the bucket does for its clients. */
public interface ConnectionBroker {
    /** The client's place in the queue, for its whole life. */
    Waiter waiter(PooledClient client);

    /** Finds a server connection: {@link PooledClient#attached} or {@link PooledClient#refused} follows, maybe from inside the call. */
    void acquire(PooledClient client);

    /** @return whether it was still waiting */
    boolean cancel(PooledClient client);

    /**
     * Whether a client that has got this connection, and has not used it yet, may begin to. Not if its lease has ended
     * meanwhile, in a pause of this process most likely: then it has to be released, and another waited for.
     */
    boolean mayUse(PooledServer server);

    /** In which terms the server has answered the latest login like this client's: see {@link LoginResponse#terms}. */
    String latestTerms(PooledClient client);

    /** The client is done with its connection, which is clean as far as its session state tells. */
    void release(PooledServer server);

    /** The client is done with its connection and has left a transaction or more in it. */
    void releaseDirty(PooledServer server);

    /** The client is gone while the server still answers. */
    void abandon(PooledServer server);

    /** The connection is of no use any more. */
    void discard(PooledServer server);

    void pin(PooledServer server, PinReason reason);

    void unpin(PooledServer server);

    /** The client keeps its connection for longer than it should; for people. */
    void pinOverdue(PooledClient client, String message);

    /** The client is closed because it has kept its connection, or a transaction, for too long; for people. */
    void pinEnded(PooledClient client, String message);

    /** May be told more than once. */
    void left(PooledClient client);

    /** Whether clients keep their connection from login to leaving. */
    boolean isSessionMode();

    /** Whether a client keeps its connection for the request after one that has left a result to ask for. */
    boolean keepsResults();

    /** What the clients of the bucket have prepared. */
    PreparedTexts preparedTexts();

    /** Whether a client keeps its connection while it has prepared statements. */
    boolean pinsPrepared();

    /** Which procedures pin their caller. */
    ProcedureRules procedures();

    /** Nanoseconds since some moment. */
    long now();

    /** What is counted of the bucket's traffic. */
    RelayCounters counters();

    /** Which requests are logged because they take long. */
    SlowRequests slowRequests();

    /** What a client is told, and to do, when it is refused. */
    String advice(Refusal why);

    /** What a client is told when its request took too long. */
    String timeoutAdvice();
}

package dev.comporta.proxy.relay;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.prepared.PreparedTexts;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.SlowRequests;

/** The bucket, as its sharing clients see it. */
public interface ConnectionBroker {
    /** The client's waiter, for its whole life. */
    Waiter waiter(PooledClient client);

    /**
     * Requests a server connection; {@link PooledClient#attached} or {@link PooledClient#refused} follows, even within the call.
     */
    void acquire(PooledClient client);

    /** @return whether it was still waiting */
    boolean cancel(PooledClient client);

    /**
     * Whether a client may begin to use a connection that it was given. Not if its lease has expired meanwhile, probably in a
     * pause of this process: then it must be released, and another requested.
     */
    boolean mayUse(PooledServer server);

    /** The terms of the server's response to the latest login like this client's: see {@link LoginResponse#terms}. */
    String latestTerms(PooledClient client);

    /** The client releases its connection, which is clean as far as its session state shows. */
    void release(PooledServer server);

    /** The client releases its connection with an open transaction or other remains. */
    void releaseDirty(PooledServer server);

    /** The client has disconnected while the server still answers. */
    void abandon(PooledServer server);

    /** The connection is unusable. */
    void discard(PooledServer server);

    void pin(PooledServer server, PinReason reason);

    void unpin(PooledServer server);

    /** Reports that the client has kept its connection for longer than {@code max_pin_time}. */
    void pinOverdue(PooledClient client, String message);

    /** Reports that the client is closed because it kept its connection, or a transaction, for too long. */
    void pinEnded(PooledClient client, String message);

    /** The client's connection has ended. May be called more than once. */
    void left(PooledClient client);

    /** Whether clients keep their connection from login to disconnect. */
    boolean isSessionMode();

    /** Whether a client keeps its connection for the request after one that may have left a result to read. */
    boolean keepsResults();

    /** The prepared statements of the bucket's clients. */
    PreparedTexts preparedTexts();

    /** Whether a client keeps its connection while it has prepared statements. */
    boolean pinsPrepared();

    /** The procedures that pin their caller. */
    ProcedureRules procedures();

    /** The time of the bucket's clock, in nanoseconds. */
    long now();

    /** The counters of the bucket's traffic. */
    RelayCounters counters();

    /** The log of slow requests. */
    SlowRequests slowRequests();

    /** The error text for a refused client, with what to do about it. */
    String advice(Refusal why);

    /** The error text for a client whose request has exceeded its timeout. */
    String timeoutAdvice();
}

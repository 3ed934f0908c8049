package dev.comporta.proxy.relay;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.ProxyError;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How often a server connection was lost before the request was sent, and why the client is refused. Confined to its
 * bucket's loop.
 */
final class ConnectionTries {
    /** More retries would not help where a server loses one connection after the other. */
    private static final int MOST = 3;

    private final PooledClient client;
    private final ConnectionBroker broker;
    private final ProxyAnswers answers;

    /** How often the present request was given a connection that was lost before any of it was sent. */
    private int lostBeforeSending;
    /** Told when the call that asked has returned, and the request has come. */
    private @Nullable ProxyError refusal;

    private String advice = "";

    ConnectionTries(PooledClient client, ConnectionBroker broker, ProxyAnswers answers) {
        this.client = client;
        this.broker = broker;
        this.answers = answers;
    }

    void begin() {
        lostBeforeSending = 0;
    }

    boolean isWorthAnother() {
        return ++lostBeforeSending <= MOST;
    }

    void note(Refusal why) {
        refusal = ProxyError.of(why);
        advice = broker.advice(why);
    }

    /** The server can't be used for what this client wants. */
    void note(String adviceInstead) {
        refusal = ProxyError.SERVER_UNAVAILABLE;
        advice = adviceInstead;
    }

    /** The server is another than the one that the client has logged in to, and the client could not read its answers. */
    void noteOtherServer() {
        note("the server that answers now is another than the one that this session has logged in to, or is configured"
                + " otherwise. Connect again.");
    }

    /** Whether a client that logs in now is told what this one was told. */
    boolean isOfToday() {
        return broker.latestTerms(client).equals(answers.terms());
    }

    boolean isRefused() {
        return refusal != null;
    }

    void forgetRefusal() {
        refusal = null;
    }

    void tell() {
        ProxyError why = Objects.requireNonNull(refusal);
        refusal = null;
        answers.error(client, why, advice);
    }
}

package dev.comporta.proxy.relay;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.session.ProxyError;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts the server connections that were lost before the request was sent, and keeps a refusal until it can be sent.
 * Confined to its bucket's loop.
 */
final class ConnectionTries {
    /** More retries would not help if a server loses one connection after another. */
    private static final int MOST = 3;

    private final PooledClient client;
    private final ConnectionBroker broker;
    private final ProxyAnswers answers;

    /** The number of connections given for the present request that were lost before any of it was sent. */
    private int lostBeforeSending;
    /** The refusal, sent when the call that requested has returned and the whole request has arrived. */
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

    /** Refuses because the server can't be used for this client. */
    void note(String adviceInstead) {
        refusal = ProxyError.SERVER_UNAVAILABLE;
        advice = adviceInstead;
    }

    /** Refuses because the present server differs from the one that the client logged in to: it could misread responses. */
    void noteOtherServer() {
        note("the server that answers now is another than the one that this session has logged in to, or is configured"
                + " otherwise. Connect again.");
    }

    /** Whether a client that logs in now gets the same login response as this client did. */
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

package dev.comporta.proxy.session;

import dev.comporta.pool.state.Refusal;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import org.slf4j.event.Level;

/** The proxy's own errors, which a driver shows as if the server had sent them. */
public enum ProxyError {
    INTERNAL(50000, "Internal proxy error"),
    POOL_EXHAUSTED(50001, "Connection pool exhausted"),
    NO_ROUTE(50002, "Unable to route connection"),
    SERVER_UNAVAILABLE(50003, "Server unavailable"),
    QUEUE_TIMEOUT(50004, "Queue timeout"),
    QUEUE_FULL(50005, "Queue full"),
    QUERY_TIMEOUT(50006, "Query timeout"),
    KILLED(50007, "Closed by the operator");

    /** "Errors that can be corrected by the user". */
    private static final int SEVERITY = 16;

    /** The server name in these errors, as drivers show it. */
    public static final String SERVER_NAME = "comporta";

    private final int number;
    private final String title;

    ProxyError(int number, String title) {
        this.number = number;
        this.title = title;
    }

    /** The error that a client gets when the pool refuses it. */
    public static ProxyError of(Refusal why) {
        return switch (why) {
            case POOL_EXHAUSTED -> POOL_EXHAUSTED;
            case QUEUE_TIMEOUT -> QUEUE_TIMEOUT;
            case QUEUE_FULL -> QUEUE_FULL;
            case SERVER_UNAVAILABLE, LOGIN_REJECTED, LOGIN_FAILED, REMOVED -> SERVER_UNAVAILABLE;
        };
    }

    public int number() {
        return number;
    }

    /** The log level: an operator's own action needs no attention. */
    public Level level() {
        return this == KILLED ? Level.INFO : Level.WARN;
    }

    /** The error text that a client gets. */
    public String text(String advice) {
        return title + ": " + advice;
    }

    /** Writes a whole response: the error, and the end of the failed statement. Borrows {@code out}. */
    public void write(ByteBuf out, TokenWriter tokens, String advice) {
        tokens.error(out, number, 1, SEVERITY, text(advice), SERVER_NAME, "", 1);
        tokens.done(out, DoneStatus.ERROR, 0, 0);
    }
}

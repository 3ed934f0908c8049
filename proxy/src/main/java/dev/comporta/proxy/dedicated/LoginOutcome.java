package dev.comporta.proxy.dedicated;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.TokenSink;
import org.jspecify.annotations.Nullable;

/** What the answers to a login come to: questions first perhaps, then yes, no, or elsewhere. */
final class LoginOutcome implements TokenSink {
    private boolean acknowledged;
    private boolean over;
    private @Nullable String routedTo;

    /** Whether the client is in, as soon as the message that says so has ended. */
    boolean isAcknowledged() {
        return acknowledged;
    }

    /** Whether the server has said its last word on the login. */
    boolean isOver() {
        return over;
    }

    /** Where the server wants the client to log in instead. */
    @Nullable
    String routedTo() {
        return routedTo;
    }

    @Override
    public void loginAcknowledged(TdsVersion version, String program, int programVersion) {
        acknowledged = true;
    }

    @Override
    public void routed(String server, int port) {
        routedTo = server + ":" + port;
    }

    @Override
    public void endOfResponse() {
        over = true;
    }
}

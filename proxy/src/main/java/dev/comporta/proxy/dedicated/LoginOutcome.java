package dev.comporta.proxy.dedicated;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.TokenSink;
import org.jspecify.annotations.Nullable;

/** The outcome of a login: the server may ask questions first, then accepts, rejects or routes elsewhere. */
final class LoginOutcome implements TokenSink {
    private static final int LOGIN_FAILED = 18456;
    private static final int UNTRUSTED_DOMAIN = 18452;

    private boolean acknowledged;
    private boolean over;
    private int firstError;
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

    /** Whether the server has rejected who the client is, and not what else its login asks for. */
    boolean isOfCredentials() {
        return firstError == LOGIN_FAILED || firstError == UNTRUSTED_DOMAIN;
    }

    @Override
    public boolean error(int number, int state, int severity) {
        // Of a database that can't be opened, the server tells first, and then that the login failed.
        firstError = firstError == 0 ? number : firstError;
        return false;
    }

    @Override
    public void endOfResponse() {
        over = true;
    }
}

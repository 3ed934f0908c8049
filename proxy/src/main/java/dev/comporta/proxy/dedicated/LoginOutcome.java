package dev.comporta.proxy.dedicated;

import dev.comporta.proxy.login.LoginResponse;
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

    /** Whether the server has accepted the login; it takes effect when the message ends. */
    boolean isAcknowledged() {
        return acknowledged;
    }

    /** Whether the server has ended its response to the login. */
    boolean isOver() {
        return over;
    }

    /** The server to which the client is routed instead; null if it is not. */
    @Nullable
    String routedTo() {
        return routedTo;
    }

    @Override
    public void loginAcknowledged(TdsVersion version, String program, int programVersion) {
        acknowledged = true;
    }

    @Override
    public void routed(String server, int port, String database) {
        routedTo = LoginResponse.route(server, port, database);
    }

    /** Whether the server has rejected the credentials, not another part of the login. */
    boolean isOfCredentials() {
        return firstError == LOGIN_FAILED || firstError == UNTRUSTED_DOMAIN;
    }

    @Override
    public boolean error(int number, int state, int severity) {
        // For a database that can't be opened, the server sends that error first, and then 18456.
        firstError = firstError == 0 ? number : firstError;
        return false;
    }

    @Override
    public void endOfResponse() {
        over = true;
    }
}

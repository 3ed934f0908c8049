package dev.comporta.proxy.watch;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Login7;

/**
 * The names that a client gives in its LOGIN7. Equal for all connections of one application on one host, which share one
 * object; see {@link ClientIdentities}.
 *
 * @param database the requested one; empty for the login's default
 * @param encrypted whether everything is encrypted, not only LOGIN7
 */
public record ClientIdentity(
        String login, String database, String application, String hostName, TdsVersion version, boolean encrypted) {
    /** For tests that don't care. */
    public static final ClientIdentity UNKNOWN = new ClientIdentity("", "", "", "", TdsVersion.V7_4, false);

    public static ClientIdentity of(Login7 login, boolean encrypted) {
        return new ClientIdentity(
                login.userName(),
                login.database(),
                login.appName(),
                login.hostName(),
                login.negotiatedVersion(),
                encrypted);
    }
}

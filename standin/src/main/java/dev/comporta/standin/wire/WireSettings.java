package dev.comporta.standin.wire;

import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tls.TlsContexts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a stand-in listens and answers.
 *
 * @param habits the server that it imitates on the wire
 * @param newestVersion the newest version that it answers with, whatever a client asks for
 * @param tls null if encryption is not supported
 * @param strictOnly connections that don't begin with TLS are closed
 * @param fedAuth whether PRELOGIN announces to clients that ask that federated authentication is required
 * @param loginTimeout from accepting a connection to the end of its login
 * @param maxMessageBytes of requests, which are held whole; a longer one closes its connection
 * @param columnEncryption the newest version of it that is acknowledged; 0 for none
 */
public record WireSettings(
        String serverName,
        ServerHabits habits,
        TdsVersion newestVersion,
        Encryption.Policy encryption,
        @Nullable TlsContexts tls,
        boolean strictOnly,
        boolean fedAuth,
        Duration loginTimeout,
        int maxMessageBytes,
        int columnEncryption) {
    /** The version that is sent to clients: SQL Server 2022, because many enable features by it. */
    private static final Prelogin.Version VERSION = new Prelogin.Version(16, 0, 1000, 6);

    private static final Prelogin.Version BABELFISH_VERSION = new Prelogin.Version(12, 0, 2000, 0);

    /** The version negotiated with a client that asks for this one. */
    TdsVersion answerTo(TdsVersion asked) {
        return asked.isAtLeast(newestVersion) ? newestVersion : asked;
    }

    /** The version of column encryption negotiated with a client; 0 for none. */
    int columnEncryption(Login7 login) {
        FeatureExtension asked = login.feature(FeatureExtension.COLUMNENCRYPTION);
        return asked == null || asked.dataLength() == 0 ? 0 : Math.min(asked.data()[0], columnEncryption);
    }

    Prelogin.Version version() {
        return habits.isBabelfish() ? BABELFISH_VERSION : VERSION;
    }
}

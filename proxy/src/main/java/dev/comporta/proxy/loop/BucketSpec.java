package dev.comporta.proxy.loop;

import dev.comporta.pool.secret.CurrentSecret;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.tds.login.Secret;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a bucket, as the data plane uses it.
 *
 * @param database the database of connections that are opened before a client asks; empty for the login's default
 * @param pinIdentity whether a client keeps its connection for the request after one that may have changed rows
 * @param preparedStatements whether prepared statements pin the client
 * @param procedures the procedures that pin their caller
 * @param healthQuery the query of health checks that use one; it must leave the session unchanged
 * @param identity whose host and application name the server sees
 * @param entry who may log in
 * @param credentialTtl how long credentials that the server has accepted are trusted without asking it again
 */
public record BucketSpec(
        String id,
        ServerDial dial,
        String database,
        PoolMode poolMode,
        TransactionTracking tracking,
        boolean pinIdentity,
        PreparedStatements preparedStatements,
        ProcedureRules procedures,
        Authentication authentication,
        Duration credentialTtl,
        ClientLimits limits,
        String healthQuery,
        BucketSettings settings,
        SessionIdentity identity,
        EntryRules entry) {
    /** These settings, as far as a bucket that runs with others can take them over. */
    BucketSpec asRunning(BucketSpec running) {
        return new BucketSpec(
                id,
                running.dial,
                database,
                running.poolMode,
                running.tracking,
                pinIdentity,
                preparedStatements,
                procedures,
                authentication,
                credentialTtl,
                limits,
                healthQuery,
                settings,
                identity,
                entry);
    }

    /**
     * Who may log in.
     *
     * @param maxFailedLogins wrong passwords of one login that reach the server within the window; 0 for no limit
     */
    public record EntryRules(AddressRules addresses, int maxFailedLogins, Duration failedLoginWindow) {
        public static final EntryRules DEFAULTS = new EntryRules(AddressRules.EVERYBODY, 0, Duration.ofMinutes(10));
    }

    /** The host and application name that the server sees. */
    public sealed interface SessionIdentity {
        /**
         * Comporta, on this host.
         *
         * @param hostName shows in the server's session list which instance has the session
         */
        record Pool(String hostName) implements SessionIdentity {}

        /** The client's own. Only clients with the same names share connections. */
        record Client() implements SessionIdentity {}
    }

    /** When a client releases its server connection. */
    public enum PoolMode {
        /** After each request, unless something pins it. */
        TRANSACTION,
        /** When it disconnects. */
        SESSION
    }

    /** What happens to prepared statements when a client gets another connection. */
    public enum PreparedStatements {
        /** They follow the client. */
        SHARE,
        /** The client keeps its connection as long as it has prepared statements. */
        PIN
    }

    /** How Comporta learns whether a transaction is open. */
    public enum TransactionTracking {
        /** The server reports it. */
        ENVCHANGE,
        /** The server is asked whenever it has not reported it. */
        PROBE,
        /** One or the other, as observed on each new connection. */
        AUTO
    }

    /** A login and its password. The login's case does not matter, as with most servers. */
    public record Credentials(String user, Secret password) {}

    /** How a client's credentials are checked. */
    public sealed interface Authentication {
        /**
         * The server checks them.
         *
         * @param account the account whose connections are opened before the first client connects; null for none
         */
        record Passthrough(@Nullable Credentials account) implements Authentication {}

        /**
         * The proxy checks them against this list, and logs in to the server with the service account.
         *
         * @param supplied the source of the account's present password when a connection is opened; null if it is in the account
         */
        record Mapped(
                List<Credentials> clients,
                Credentials account,
                @Nullable CurrentSecret<Secret> supplied) implements Authentication {
            public Mapped {
                clients = List.copyOf(clients);
            }

            public Mapped(List<Credentials> clients, Credentials account) {
                this(clients, account, null);
            }
        }
    }
}

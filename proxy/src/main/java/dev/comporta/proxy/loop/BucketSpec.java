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
 * A bucket as the data plane needs to know it.
 *
 * @param database where connections that no client has asked for start; empty for the login's own default
 * @param pinIdentity whether a client keeps its connection for the request after one that may have changed rows
 * @param preparedStatements whether a client keeps its connection for what it has prepared
 * @param procedures which procedures pin their caller
 * @param healthQuery what a check of a connection asks, where it asks a query; it must leave the session as it is
 * @param identity whose names the server sees
 * @param entry who may come in
 * @param credentialTtl how long a secret that the server has accepted is believed without asking it again
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
     * Who may come in.
     *
     * @param maxFailedLogins of one login that the server gets to see within the window; 0 for all
     */
    public record EntryRules(AddressRules addresses, int maxFailedLogins, Duration failedLoginWindow) {
        public static final EntryRules DEFAULTS = new EntryRules(AddressRules.EVERYBODY, 0, Duration.ofMinutes(10));
    }

    /** Which host and application the server is told that its sessions belong to. */
    public sealed interface SessionIdentity {
        /**
         * Comporta, on this host.
         *
         * @param hostName for people who look at the server's sessions and want to know which instance has them
         */
        record Pool(String hostName) implements SessionIdentity {}

        /** The client's. Only clients with the same names share connections. */
        record Client() implements SessionIdentity {}
    }

    /** When a client gives its server connection back. */
    public enum PoolMode {
        /** After each request, unless something pins it. */
        TRANSACTION,
        /** When it leaves. */
        SESSION
    }

    /** What becomes of prepared statements when a client gets another connection. */
    public enum PreparedStatements {
        /** They follow the client. */
        SHARE,
        /** The client keeps its connection as long as it has any. */
        PIN
    }

    /** How it is known whether a transaction is open. */
    public enum TransactionTracking {
        /** The server tells. */
        ENVCHANGE,
        /** The server is asked whenever it has not told. */
        PROBE,
        /** One or the other, by what the server does when it is tried. */
        AUTO
    }

    /** A login and its password. The login's case does not matter, as with most servers. */
    public record Credentials(String user, Secret password) {}

    /** How a client's credentials are checked. */
    public sealed interface Authentication {
        /**
         * The server, with the client's own.
         *
         * @param account whose connections are opened before the first client has come; null for nobody's
         */
        record Passthrough(@Nullable Credentials account) implements Authentication {}

        /**
         * The proxy: clients must give one of these, and the server is given the service account's.
         *
         * @param supplied the account's password as it is when a connection is opened; null if the account has it
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

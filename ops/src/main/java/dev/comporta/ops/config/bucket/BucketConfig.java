package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.auth.AuthConfig;
import dev.comporta.ops.config.proxy.PoolMode;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.value.HostPort;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One database server and how its connections are shared. The {@linkplain dev.comporta.ops.route.Router router} knows which
 * databases lead to it.
 *
 * @param servers the database server, and those that replace it when it fails, in order of preference: at least one
 * @param database the database of Comporta's own connections, and a name that routes here unless another bucket has it too
 * @param pinIdentity whether a client keeps its connection until its next request after one that may have changed rows, so
 *     that it can ask for {@code @@IDENTITY} and {@code SCOPE_IDENTITY()}
 * @param preparedStatements whether a client keeps its connection for what it has prepared
 * @param sessionIdentity whose host and application name the server sees
 * @param resetOnRelease whether a connection is reset when it is released, instead of with the next client's first message
 */
public record BucketConfig(
        String id,
        List<HostPort> servers,
        Optional<String> database,
        PoolMode poolMode,
        AuthConfig auth,
        EntryConfig entry,
        ServerTlsConfig tls,
        CapacityConfig capacity,
        QueueConfig queue,
        ReservoirConfig reservoir,
        TransactionTracking transactionTracking,
        boolean pinIdentity,
        PreparedStatements preparedStatements,
        ProcedureConfig procedures,
        boolean resetOnRelease,
        SessionIdentity sessionIdentity,
        ValidationConfig validation,
        HealthConfig health) {
    public static final Key<String> ID = Key.required("id", ValueTypes.identifier("a name for the bucket"));
    public static final Key<String> DATABASE =
            Key.derived("database", ValueTypes.text("a database name"), "the login's default database");
    private static final Key<PoolMode> POOL_MODE =
            Key.derived("pool_mode", ValueTypes.choice(PoolMode.class), "proxy.pinning_mode");
    private static final Key<TransactionTracking> TRANSACTION_TRACKING =
            Key.of("transaction_tracking", ValueTypes.choice(TransactionTracking.class), "auto");
    private static final Key<Boolean> PIN_IDENTITY = Key.of("pin_identity", ValueTypes.bool(), "false");
    private static final Key<PreparedStatements> PREPARED_STATEMENTS =
            Key.of("prepared_statements", ValueTypes.choice(PreparedStatements.class), "share");
    private static final Key<Boolean> RESET_ON_RELEASE = Key.of("reset_on_release", ValueTypes.bool(), "false");
    private static final Key<SessionIdentity> SESSION_IDENTITY =
            Key.of("session_identity", ValueTypes.choice(SessionIdentity.class), "pool");
    private static final SectionKey RESERVOIR = new SectionKey("reservoir", ReservoirConfig.SCHEMA);
    private static final SectionKey VALIDATION = new SectionKey("validation", ValidationConfig.SCHEMA);
    private static final SectionKey HEALTH = new SectionKey("health", HealthConfig.SCHEMA);

    /** A file of {@code database,bucket} lines, for lists too long for YAML. */
    public static final Key<Path> FILE = Key.required("file", ValueTypes.path());

    public static final ListKey<String> DATABASES = new ListKey<>(
            "databases",
            ValueTypes.text("a database name, or a pattern such as app_*"),
            "the one named by database",
            Optional.of(Schema.of(FILE)));
    public static final ListKey<String> SERVER_NAMES =
            ListKey.of("server_names", ValueTypes.text("a name that clients dial"), "none");

    public static final Schema SCHEMA = Schema.of(ID)
            .plus(ServersConfig.SCHEMA)
            .plus(DATABASE, DATABASES, SERVER_NAMES, POOL_MODE, TRANSACTION_TRACKING, PIN_IDENTITY)
            .plus(PREPARED_STATEMENTS, ProcedureConfig.PROCEDURES, RESET_ON_RELEASE, SESSION_IDENTITY)
            .plus(RESERVOIR, VALIDATION, HEALTH)
            .plus(AuthConfig.SCHEMA)
            .plus(EntryConfig.SCHEMA)
            .plus(ServerTlsConfig.SCHEMA)
            .plus(CapacityConfig.SCHEMA)
            .plus(QueueConfig.SCHEMA);

    public BucketConfig {
        servers = List.copyOf(servers);
        new Consistency()
                .refuse(
                        reservoir.targetReady() > capacity.maxConnections(),
                        "reservoir.target_ready",
                        "max_connections")
                .because(
                        "It is above max_connections (" + capacity.maxConnections() + ").",
                        "Lower it: " + capacity.maxConnections() + " is the maximum number of connections.")
                .refuse(
                        auth.command()
                                .filter(command -> command.timeout().compareTo(capacity.connectionTimeout()) >= 0)
                                .isPresent(),
                        "password_timeout",
                        "connection_timeout")
                .because(
                        "The password is a part of a connection's opening, which may take connection_timeout ("
                                + capacity.connectionTimeout().toMillis() + " ms) in all.",
                        "Make it shorter than connection_timeout.")
                .orThrow();
    }

    /** The host of the preferred server. */
    public String host() {
        return servers.getFirst().host();
    }

    /** The port of the preferred server. */
    public int port() {
        return servers.getFirst().port();
    }

    public static BucketConfig read(Section section, ProxyConfig proxy) {
        return section.make(bucket -> from(bucket, proxy));
    }

    private static BucketConfig from(Section section, ProxyConfig proxy) {
        CapacityConfig capacity = CapacityConfig.read(section);
        return new BucketConfig(
                section.get(ID),
                ServersConfig.read(section),
                Optional.ofNullable(section.find(DATABASE)),
                section.get(POOL_MODE, proxy.pinningMode()),
                AuthConfig.read(section, capacity.maxConnectionsPerLogin()),
                EntryConfig.read(section),
                ServerTlsConfig.read(section),
                capacity,
                QueueConfig.read(section, proxy),
                ReservoirConfig.read(section.child(RESERVOIR), capacity.minIdle()),
                section.get(TRANSACTION_TRACKING),
                section.get(PIN_IDENTITY),
                section.get(PREPARED_STATEMENTS),
                ProcedureConfig.read(section),
                section.get(RESET_ON_RELEASE),
                section.get(SESSION_IDENTITY),
                ValidationConfig.read(section.child(VALIDATION)),
                HealthConfig.read(section.child(HEALTH)));
    }
}

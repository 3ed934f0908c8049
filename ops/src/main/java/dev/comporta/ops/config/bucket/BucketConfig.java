package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.proxy.PoolMode;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One database server and how its connections are shared. Which databases lead to it is the
 * {@linkplain dev.comporta.ops.route.Router router's} to know.
 *
 * @param database where connections of Comporta's own start, and a name that leads here unless another bucket has it too
 * @param pinIdentity keep a client's connection from a request to the next that may ask for {@code @@IDENTITY} and the
 *     like
 * @param preparedStatements whether a client keeps its connection for what it has prepared
 * @param sessionIdentity whose host and application name the server is told
 * @param resetOnRelease reset a connection as soon as it comes back, instead of with the next client's first message
 */
public record BucketConfig(
        String id,
        String host,
        int port,
        Optional<String> database,
        PoolMode poolMode,
        AuthConfig auth,
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
    private static final Key<String> HOST = Key.required("host", ValueTypes.text("the database server's host name"));
    private static final Key<Integer> PORT = Key.of("port", ValueTypes.port(), "1433");
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

    /** A file of {@code database,bucket} lines, where a list of databases would be too long. */
    public static final Key<Path> FILE = Key.required("file", ValueTypes.path());

    public static final ListKey<String> DATABASES = new ListKey<>(
            "databases",
            ValueTypes.text("a database name, or a pattern such as app_*"),
            "the one named by database",
            Optional.of(Schema.of(FILE)));
    public static final ListKey<String> SERVER_NAMES =
            ListKey.of("server_names", ValueTypes.text("a name that clients dial"), "none");

    public static final Schema SCHEMA = Schema.of(
                    ID,
                    HOST,
                    PORT,
                    DATABASE,
                    DATABASES,
                    SERVER_NAMES,
                    POOL_MODE,
                    TRANSACTION_TRACKING,
                    PIN_IDENTITY,
                    PREPARED_STATEMENTS,
                    ProcedureConfig.PROCEDURES,
                    RESET_ON_RELEASE,
                    SESSION_IDENTITY,
                    RESERVOIR,
                    VALIDATION,
                    HEALTH)
            .plus(AuthConfig.SCHEMA)
            .plus(ServerTlsConfig.SCHEMA)
            .plus(CapacityConfig.SCHEMA)
            .plus(QueueConfig.SCHEMA);

    public BucketConfig {
        new Consistency()
                .refuse(
                        reservoir.targetReady() > capacity.maxConnections(),
                        "It is above max_connections (" + capacity.maxConnections() + ").",
                        "Lower it: " + capacity.maxConnections() + " connections are all that there may be.",
                        "reservoir.target_ready",
                        "max_connections")
                .orThrow();
    }

    public static BucketConfig read(Section section, ProxyConfig proxy) {
        return section.make(bucket -> from(bucket, proxy));
    }

    private static BucketConfig from(Section section, ProxyConfig proxy) {
        CapacityConfig capacity = CapacityConfig.read(section);
        return new BucketConfig(
                section.get(ID),
                section.get(HOST),
                section.get(PORT),
                Optional.ofNullable(section.find(DATABASE)),
                section.get(POOL_MODE, proxy.pinningMode()),
                AuthConfig.read(section, capacity.maxConnectionsPerLogin()),
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

package dev.comporta.ops.config.fleet;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.value.HostPort;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The Redis that holds the fleet's slots. Absent when slots are counted in this process alone. */
public record RedisConfig(
        Mode mode,
        List<HostPort> addresses,
        Optional<String> sentinelMaster,
        Optional<String> username,
        Optional<HiddenText> password,
        int database,
        String keyPrefix,
        RedisTlsConfig tls,
        int poolSize,
        Duration dialTimeout,
        Duration readTimeout,
        Duration writeTimeout,
        HeartbeatConfig heartbeat) {
    /** The topology of Redis. */
    public enum Mode {
        STANDALONE,
        SENTINEL,
        CLUSTER
    }

    private static final int REDIS_PORT = 6379;

    static final ListKey<HostPort> ADDR =
            ListKey.of("addr", ValueTypes.hostPort(REDIS_PORT), "slots are counted in this process alone");
    private static final Key<Mode> MODE = Key.of("mode", ValueTypes.choice(Mode.class), "standalone");
    private static final Key<String> SENTINEL_MASTER =
            Key.derived("sentinel_master", ValueTypes.text("the master's name"), "needed when mode is sentinel");
    private static final Key<String> USERNAME =
            Key.derived("username", ValueTypes.text("a Redis user"), "Redis' default user");
    private static final Key<HiddenText> PASSWORD = Key.derived("password", ValueTypes.secret(), "none");
    private static final Key<Integer> DATABASE = Key.of("database", ValueTypes.integer(0, 1_000_000), "0");
    private static final Key<String> KEY_PREFIX =
            Key.of("key_prefix", ValueTypes.identifier("the first part of every Redis key"), "proxy");
    private static final Key<Integer> POOL_SIZE = Key.of("pool_size", ValueTypes.integer(1, 10_000), "20");
    private static final Key<Duration> DIAL_TIMEOUT = Key.of("dial_timeout", ValueTypes.duration(), "5s");
    private static final Key<Duration> READ_TIMEOUT = Key.of("read_timeout", ValueTypes.duration(), "3s");
    private static final Key<Duration> WRITE_TIMEOUT = Key.of("write_timeout", ValueTypes.duration(), "3s");

    public static final Schema SCHEMA = Schema.of(ADDR, MODE, SENTINEL_MASTER, USERNAME, PASSWORD, DATABASE, KEY_PREFIX)
            .plus(POOL_SIZE, DIAL_TIMEOUT, READ_TIMEOUT, WRITE_TIMEOUT)
            .plus(RedisTlsConfig.SCHEMA)
            .plus(HeartbeatConfig.SCHEMA);

    public RedisConfig {
        addresses = List.copyOf(addresses);
        new Consistency()
                .refuse(mode == Mode.STANDALONE && addresses.size() > 1, "addr", "mode")
                .because(
                        "A standalone Redis has one address.",
                        "Set 'mode' to sentinel or cluster, or give one address.")
                .refuse(mode == Mode.SENTINEL && sentinelMaster.isEmpty(), "mode", "sentinel_master")
                .because(
                        "With sentinel, the master's name is needed.",
                        "Add 'sentinel_master:' with the name the sentinels know.")
                .refuse(mode == Mode.CLUSTER && database != 0, "database", "mode")
                .because("A Redis Cluster has database 0 only.", "Remove it.")
                .refuse(username.isPresent() && password.isEmpty(), "username", "password")
                .because(
                        "A Redis user without a password can't log in.",
                        "Add 'password:' with ${NAME} or ${file:/path}.")
                .orThrow();
    }

    public static Optional<RedisConfig> read(Section section) {
        RedisConfig settings = section.make(RedisConfig::from);
        if (section.has(ADDR)) {
            return Optional.of(settings);
        }
        for (var entry : SCHEMA.entries()) {
            if (section.has(entry)) {
                section.warn(
                        entry.name(),
                        "It has no effect without redis.addr: slots are counted in this process alone.",
                        "Add 'addr:', or remove the section if there is only one instance.");
                break;
            }
        }
        return Optional.empty();
    }

    private static RedisConfig from(Section section) {
        return new RedisConfig(
                section.get(MODE),
                section.list(ADDR),
                Optional.ofNullable(section.find(SENTINEL_MASTER)),
                Optional.ofNullable(section.find(USERNAME)),
                Optional.ofNullable(section.find(PASSWORD)),
                section.get(DATABASE),
                section.get(KEY_PREFIX),
                RedisTlsConfig.read(section),
                section.get(POOL_SIZE),
                section.get(DIAL_TIMEOUT),
                section.get(READ_TIMEOUT),
                section.get(WRITE_TIMEOUT),
                HeartbeatConfig.read(section));
    }
}

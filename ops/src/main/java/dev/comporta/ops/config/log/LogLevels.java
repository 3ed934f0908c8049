package dev.comporta.ops.config.log;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/** The level of each part that can have its own; {@code proxy.log.level} where the file has none. */
public record LogLevels(
        LogLevel listen,
        LogLevel login,
        LogLevel pool,
        LogLevel relay,
        LogLevel fleet,
        LogLevel console,
        LogLevel http,
        LogLevel config,
        LogLevel tls,
        LogLevel instance,
        LogLevel libraries) {
    private static final Key<LogLevel> LISTEN = key("listen");
    private static final Key<LogLevel> LOGIN = key("login");
    private static final Key<LogLevel> POOL = key("pool");
    private static final Key<LogLevel> RELAY = key("relay");
    private static final Key<LogLevel> FLEET = key("fleet");
    private static final Key<LogLevel> CONSOLE = key("console");
    private static final Key<LogLevel> HTTP = key("http");
    private static final Key<LogLevel> CONFIG = key("config");
    private static final Key<LogLevel> TLS = key("tls");
    private static final Key<LogLevel> INSTANCE = key("instance");
    /** Does not follow {@code proxy.log.level}: Netty's debug lines would bury Comporta's. */
    private static final Key<LogLevel> LIBRARIES = Key.of("libraries", ValueTypes.choice(LogLevel.class), "info");

    static final Schema SCHEMA =
            Schema.of(LISTEN, LOGIN, POOL, RELAY, FLEET, CONSOLE, HTTP, CONFIG, TLS, INSTANCE, LIBRARIES);

    private static Key<LogLevel> key(String name) {
        return Key.derived(name, ValueTypes.choice(LogLevel.class), "proxy.log.level");
    }

    static LogLevels read(Section section, LogLevel otherwise) {
        return new LogLevels(
                section.get(LISTEN, otherwise),
                section.get(LOGIN, otherwise),
                section.get(POOL, otherwise),
                section.get(RELAY, otherwise),
                section.get(FLEET, otherwise),
                section.get(CONSOLE, otherwise),
                section.get(HTTP, otherwise),
                section.get(CONFIG, otherwise),
                section.get(TLS, otherwise),
                section.get(INSTANCE, otherwise),
                section.get(LIBRARIES));
    }

    public LogLevel of(LogPart part) {
        return switch (part) {
            case LISTEN -> listen;
            case LOGIN -> login;
            case POOL -> pool;
            case RELAY -> relay;
            case FLEET -> fleet;
            case CONSOLE -> console;
            case AUDIT -> LogLevel.INFO;
            case HTTP -> http;
            case CONFIG -> config;
            case TLS -> tls;
            case INSTANCE -> instance;
            case LIBRARIES -> libraries;
        };
    }
}

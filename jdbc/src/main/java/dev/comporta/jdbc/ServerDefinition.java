package dev.comporta.jdbc;

import dev.comporta.jdbc.config.ServerOptions;
import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.config.Settings;
import dev.comporta.jdbc.dialect.LossRule;
import java.util.Map;

/**
 * A server as it is registered: its name, and settings by name. Settings that are not given have the defaults of
 * docs/embedded.md, except for the values below, which suit pools that many users share.
 *
 * @param name the server's name, and its bucket's in a fleet
 * @param options settings by name, {@code dataSource.…} for the driver; instead of {@code jdbcUrl} also {@code wrapper} (such as
 *     {@code postgresql_fdw}), {@code host}, {@code port} and {@code dbname}
 * @param lossRule which errors end a connection, where the dialect's rules are not enough
 */
public record ServerDefinition(String name, Map<String, String> options, LossRule lossRule) {
    private static final Map<Setting, String> DEFAULTS = Map.of(
            Setting.MINIMUM_IDLE, "1",
            Setting.CONNECTION_TIMEOUT, "5s",
            Setting.CONNECT_TIMEOUT, "5s",
            Setting.QUERY_TIMEOUT, "30s",
            Setting.IDLE_TIMEOUT, "5m",
            Setting.MAX_LIFETIME, "1h",
            Setting.RESET_ON_RELEASE, "true",
            Setting.WARMUP_CONNECTIONS, "1");

    public ServerDefinition {
        options = Map.copyOf(options);
        if (name.isBlank()) {
            throw new IllegalArgumentException("a server needs a name");
        }
        settings(name, options); // throws if a name is unknown
    }

    public ServerDefinition(String name, Map<String, String> options) {
        this(name, options, LossRule.NONE);
    }

    Settings settings() {
        return settings(name, options);
    }

    private static Settings settings(String name, Map<String, String> options) {
        Settings settings = new Settings();
        DEFAULTS.forEach(settings::setDefault);
        try {
            ServerOptions.apply(options, settings);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("server " + name + ": " + e.getMessage(), e);
        }
        settings.set(Setting.POOL_NAME, name);
        return settings;
    }

    /** The same with other options. */
    ServerDefinition with(Map<String, String> others) {
        return new ServerDefinition(name, others, lossRule);
    }

    /** Without the options: they may have secrets. */
    @Override
    public String toString() {
        return "server " + name;
    }
}

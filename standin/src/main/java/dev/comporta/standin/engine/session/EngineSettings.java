package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.ServerHabits;

/**
 * The name and kind of one server.
 *
 * @param habits the server that it imitates
 */
public record EngineSettings(String serverName, ServerHabits habits) {
    /** The version in @@VERSION and SERVERPROPERTY('ProductVersion'). */
    public static final String PRODUCT_VERSION = "16.0.1000.6";

    /** The same for Babelfish. */
    public static final String BABELFISH_PRODUCT_VERSION = "12.0.2000.8";

    public static final String BABELFISH_VERSION = "4.3.0";

    public static EngineSettings named(String serverName) {
        return new EngineSettings(serverName, ServerHabits.SQL_SERVER);
    }

    public EngineSettings withHabits(ServerHabits other) {
        return new EngineSettings(serverName, other);
    }

    public String productVersion() {
        return habits.isBabelfish() ? BABELFISH_PRODUCT_VERSION : PRODUCT_VERSION;
    }
}

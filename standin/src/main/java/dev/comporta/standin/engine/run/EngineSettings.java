package dev.comporta.standin.engine.run;

/**
 * How one server presents itself.
 *
 * @param silentTransactions as Babelfish: transactions of T-SQL are not told to the client, only those of transaction
 *     manager requests
 */
public record EngineSettings(String serverName, boolean silentTransactions) {
    /** What @@VERSION begins with, and SERVERPROPERTY('ProductVersion'). */
    public static final String PRODUCT_VERSION = "16.0.1000.6";

    public static EngineSettings named(String serverName) {
        return new EngineSettings(serverName, false);
    }

    public EngineSettings withSilentTransactions(boolean silent) {
        return new EngineSettings(serverName, silent);
    }
}

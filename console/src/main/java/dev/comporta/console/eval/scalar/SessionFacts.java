package dev.comporta.console.eval.scalar;

/**
 * The session and the instance, as statements can query them.
 *
 * @param banner the value of {@code @@VERSION}
 * @param productVersion such as 16.0.1000.6: tools decide by it which catalog queries they send
 * @param rowCount rows of the previous statement
 */
public record SessionFacts(
        int spid,
        String login,
        String serverName,
        String banner,
        String productVersion,
        String hostName,
        String application,
        int rowCount) {}

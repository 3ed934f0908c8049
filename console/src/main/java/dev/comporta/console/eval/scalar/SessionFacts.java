package dev.comporta.console.eval.scalar;

/**
 * What statements can ask about the session and the instance.
 *
 * @param banner of {@code @@VERSION}
 * @param productVersion such as 16.0.1000.6: tools decide by it which catalog queries they send
 * @param rowCount rows of the statement before
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

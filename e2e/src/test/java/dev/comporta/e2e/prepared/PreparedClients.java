package dev.comporta.e2e.prepared;

/**
 * Clients of one driver, each with a connection and prepared statements of its own. Every method has all of them do
 * something at the same time, and returns when the last one has done it.
 */
interface PreparedClients extends AutoCloseable {
    /** How many statements each client keeps to ask with; their texts are the same for all clients. */
    int STATEMENTS = 4;

    /** A round is one execution of each statement. */
    record Rounds(int fewest, int most) {}

    void connect() throws Exception;

    /** Each client asks, and checks its answers, until every client has made so many rounds. */
    Rounds ask(int atLeast) throws Exception;

    /** Each client adds so many rows. */
    void write(int rows) throws Exception;

    /** Statements and connections are closed in good order. */
    void leave() throws Exception;

    /** Whatever state they are in. */
    @Override
    void close();

    static String question(int statement) {
        return "SELECT ? * 10 + " + statement + " AS answer";
    }
}

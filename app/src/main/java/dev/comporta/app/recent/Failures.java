package dev.comporta.app.recent;

/**
 * Counts of a bucket's failures.
 *
 * @param connections server connections that could not be opened, were lost, or failed a check or reset
 * @param refused requests and logins that the pool refused
 */
public record Failures(long connections, long refused) {
    static final Failures NONE = new Failures(0, 0);

    Failures since(Failures earlier) {
        return new Failures(connections - earlier.connections, refused - earlier.refused);
    }
}

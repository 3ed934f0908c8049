package dev.comporta.standin.engine;

import java.util.List;

/**
 * Counts of prepared handles, of statements and cursors, in all sessions.
 *
 * @param prepares by sp_prepare and related procedures, by RPC or in a text
 * @param executions by handle
 * @param unknown requests that named a handle which their session did not have
 * @param firstUnknown the first of these, for messages
 */
public record HandleCounts(long prepares, long executions, long unknown, List<String> firstUnknown) {
    /** The counts of a server without an engine. */
    public static final HandleCounts NONE = new HandleCounts(0, 0, 0, List.of());

    public HandleCounts {
        firstUnknown = List.copyOf(firstUnknown);
    }
}

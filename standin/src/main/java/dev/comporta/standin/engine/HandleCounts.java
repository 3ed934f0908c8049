package dev.comporta.standin.engine;

import java.util.List;

/**
 * What has become of prepared handles, statements' and cursors', in all sessions.
 *
 * @param prepares by sp_prepare and its kin, called or in a text
 * @param executions by handle
 * @param unknown requests that named a handle which their session did not have
 * @param firstUnknown the first of these, to be printed
 */
public record HandleCounts(long prepares, long executions, long unknown, List<String> firstUnknown) {
    /** Of a server without an engine. */
    public static final HandleCounts NONE = new HandleCounts(0, 0, 0, List.of());

    public HandleCounts {
        firstUnknown = List.copyOf(firstUnknown);
    }
}

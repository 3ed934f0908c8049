package dev.comporta.proxy.relay.response;

import dev.comporta.tds.request.SystemProcedure;

/**
 * An error by which the proxy itself refuses a call that names a handle, as SQL Server words it.
 *
 * @param state the error's state, which says where it was found
 * @param procedure the procedure that found it
 */
public record HandleRefusal(int number, int state, String procedure, String text) {
    /** "Could not find prepared statement with handle %d." */
    public static final int UNKNOWN = 8179;

    private static final int OTHER_CONTEXT = 586;

    // The states observed on SQL Server.
    private static final int OF_EXECUTE = 1;
    private static final int OF_UNPREPARE = 8;

    /** The client does not have this handle, or has unprepared it. */
    public static HandleRefusal unknown(long handle, int procedure) {
        return new HandleRefusal(
                UNKNOWN,
                SystemProcedure.unprepares(procedure) ? OF_UNPREPARE : OF_EXECUTE,
                SystemProcedure.name(procedure),
                "Could not find prepared statement with handle %d.".formatted(handle));
    }

    /** The session is in another database, or has other settings, than when the statement was prepared. */
    public static HandleRefusal otherContext(long handle) {
        return new HandleRefusal(
                OTHER_CONTEXT,
                1,
                SystemProcedure.name(SystemProcedure.EXECUTE),
                ("The prepared statement handle %d is not valid in this context.  Please verify that current database, user"
                                + " default schema, and ANSI_NULLS and QUOTED_IDENTIFIER set options are not changed since"
                                + " the handle is prepared.")
                        .formatted(handle));
    }
}

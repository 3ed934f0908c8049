package dev.comporta.proxy.relay.request;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.prepared.IntBag;
import dev.comporta.tds.sql.Finding;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why a client must keep its server connection, other than a transaction, which the server connection tracks. One
 * for each client; the bag takes no memory while it is empty.
 */
public final class PinBook {
    /** Limit of the open cursors kept for a client, and of those that one message closes: more than any client has. */
    public static final int MOST_CURSORS = 4096;

    private final IntBag cursors = new IntBag();
    private @Nullable PinReason untilReset;
    private @Nullable PinReason untilLeft;
    private boolean bulkAnnounced;
    private boolean resultLeft;

    /** The reason that lasts longest; null if there is none. */
    public @Nullable PinReason reason() {
        if (untilLeft != null) {
            return untilLeft;
        }
        if (untilReset != null) {
            return untilReset;
        }
        if (!cursors.isEmpty()) {
            return PinReason.CURSOR;
        }
        if (bulkAnnounced) {
            return PinReason.BULK_LOAD;
        }
        return resultLeft ? PinReason.RESULT : null;
    }

    public void untilReset(PinReason reason) {
        if (untilReset == null) {
            untilReset = reason;
        }
    }

    /** Pins for something that not even a reset undoes. */
    public void untilLeft(PinReason reason) {
        if (untilLeft == null) {
            untilLeft = reason;
        }
    }

    public void bulkAnnounced(boolean announced) {
        bulkAnnounced = announced;
    }

    /** Whether the latest request has left something that the next may read; this lasts for one request. */
    public void resultLeft(boolean left) {
        resultLeft = left;
    }

    /** A cursor was opened. Beyond the limit it is not known any more when the last is closed. */
    public void cursor(int handle) {
        if (cursors.size() < MOST_CURSORS || cursors.contains(handle)) {
            cursors.add(handle);
        } else {
            untilReset(PinReason.CURSOR);
        }
    }

    void closed(IntBag closed) {
        cursors.removeAll(closed);
    }

    /** The session was reset: only pins that a reset does not undo remain. */
    public void clear() {
        cursors.clear();
        untilReset = null;
        bulkAnnounced = false;
        resultLeft = false;
    }

    public static PinReason of(Finding finding) {
        return switch (finding) {
            case CREATES_TEMPORARY -> PinReason.TEMPORARY_TABLE;
            case LEAVES_CURSOR, CURSOR_BY_TEXT -> PinReason.CURSOR;
            case LOCKS_APPLICATION -> PinReason.SESSION_LOCK;
            case SETS_SESSION_CONTEXT, SETS_CONTEXT_INFO -> PinReason.SESSION_CONTEXT;
            case SETS_APPLICATION_ROLE, IMPERSONATES -> PinReason.ROLE;
            case PREPARES_BY_TEXT -> PinReason.PREPARED_STATEMENT;
            case SETS_OPTION_FROM_VARIABLE,
                    SETS_OPTION_PERHAPS,
                    SETS_UNREPLAYABLE_OPTION,
                    CALLS_PROCEDURE,
                    DYNAMIC_SQL,
                    BINDS_SESSION,
                    PREPARES_XML,
                    OPENS_KEY,
                    SETS_TRACE_FLAG,
                    OTHER_SESSION_PROCEDURE,
                    NOT_UNDERSTOOD -> PinReason.NOT_UNDERSTOOD;
            // These don't pin by themselves. One that arrives here all the same counts as not understood.
            case BEGINS_TRANSACTION,
                    ENDS_TRANSACTION,
                    SAVES_TRANSACTION,
                    OPENS_IMPLICIT_TRANSACTION,
                    SETS_OPTION,
                    SETS_OPTION_INSIDE,
                    SETS_IMPLICIT_INSIDE,
                    SETS_IDENTITY_INSERT,
                    CHANGES_DATABASE,
                    DROPS_OWN_TEMPORARY,
                    CREATES_TEMPORARY_INSIDE,
                    USES_TEMPORARY,
                    USES_CURSOR,
                    DEFINES_MODULE,
                    REVERTS_IMPERSONATION,
                    UNLOCKS_APPLICATION,
                    RESETS_SESSION,
                    INSERT_BULK,
                    READS_IDENTITY,
                    READS_PREVIOUS_IDENTITY,
                    READS_RESULT,
                    READS_PREVIOUS_RESULT,
                    READS_SPID,
                    READS_TRANSACTION_STATE,
                    READS_SESSION_CONTEXT,
                    READS_OPTIONS -> PinReason.NOT_UNDERSTOOD;
        };
    }
}

package dev.comporta.proxy.prepared;

import dev.comporta.proxy.prepared.PreparedText.Kind;
import dev.comporta.tds.request.SystemProcedure;
import org.jspecify.annotations.Nullable;

/**
 * The handles that a client was given, and the texts they stand for. The numbers are the proxy's own, are used once in a
 * client's life, and lie in ranges that no server's numbers reach: SQL Server counts statements from 1 and prepared cursors
 * from 1,073,741,825. So if a number reached a server by mistake, it would be refused, and could not be another client's
 * statement. Takes hardly any memory while it is empty. Confined to its bucket's loop.
 */
public final class ClientHandles {
    private static final int STATEMENTS = 0x2000_0000;
    private static final int CURSORS = 0x6000_0000;

    private final PreparedTexts bucket;
    private final boolean binds;
    private @Nullable HandleTable statements;
    private @Nullable HandleTable cursors;
    private long bytes;
    private int bound;

    /** @param binds whether each handle pins the client to the server connection that it came from */
    public ClientHandles(PreparedTexts bucket, boolean binds) {
        this.bucket = bucket;
        this.binds = binds;
    }

    /** Whether a number is in the proxy's own ranges, which no server uses. */
    public static boolean isOwnNumber(long number) {
        return HandleTable.isIn(STATEMENTS, number) || HandleTable.isIn(CURSORS, number);
    }

    /** The kind of handle that the procedure takes or returns. */
    public static Kind kindOf(int procId) {
        return switch (procId) {
            case SystemProcedure.CURSOR_PREPARE,
                    SystemProcedure.CURSOR_EXECUTE,
                    SystemProcedure.CURSOR_PREP_EXEC,
                    SystemProcedure.CURSOR_UNPREPARE -> Kind.CURSOR;
            default -> Kind.STATEMENT;
        };
    }

    public PreparedTexts bucket() {
        return bucket;
    }

    /**
     * Returns the text that a new handle will stand for: shared within the bucket, or bound, which pins this client. Throws,
     * and holds nothing, if the client can't have another handle.
     */
    public PreparedText hold(PreparedText wanted) {
        table(wanted.kind()).requireRoom();
        PreparedText held = null;
        if (!binds && !wanted.isBound() && bytes + wanted.bytes() <= PreparedTexts.MOST_BYTES_PER_CLIENT) {
            held = bucket.hold(wanted);
        }
        if (held != null) {
            bytes += held.bytes();
            return held;
        }
        bound++;
        bucket.counters().bound++;
        return wanted.asBound();
    }

    /** @return the client's number for it */
    public int give(PreparedText held) {
        return table(held.kind()).add(held);
    }

    private HandleTable table(Kind kind) {
        if (kind == Kind.CURSOR) {
            if (cursors == null) {
                cursors = new HandleTable(CURSORS);
            }
            return cursors;
        }
        if (statements == null) {
            statements = new HandleTable(STATEMENTS);
        }
        return statements;
    }

    /**
     * The text that a number stands for when the client passes it to a procedure; null if the client was not given it, has
     * unprepared it, or the procedure takes the other kind. sp_unprepare takes either kind.
     */
    public @Nullable PreparedText find(int procId, long number) {
        HandleTable table = tableOf(number);
        PreparedText text = table == null ? null : table.find(number);
        boolean taken = text != null && (text.kind() == kindOf(procId) || procId == SystemProcedure.UNPREPARE);
        return taken ? text : null;
    }

    private @Nullable HandleTable tableOf(long number) {
        return HandleTable.isIn(CURSORS, number) ? cursors : statements;
    }

    /** The client has unprepared the handle. */
    public void remove(long number) {
        HandleTable table = tableOf(number);
        PreparedText text = table == null ? null : table.remove(number);
        if (text != null) {
            drop(text);
        }
    }

    private void drop(PreparedText text) {
        if (text.isBound()) {
            bound--;
        } else {
            bytes -= text.bytes();
            bucket.drop(text);
        }
    }

    /** Whether a handle can be used on its own server connection only. */
    public boolean pin() {
        return bound > 0;
    }

    /** The session was reset, or has ended. Later numbers continue the series. */
    public void clear() {
        clear(statements);
        clear(cursors);
    }

    private void clear(@Nullable HandleTable table) {
        if (table != null) {
            table.clear(this::drop);
        }
    }
}

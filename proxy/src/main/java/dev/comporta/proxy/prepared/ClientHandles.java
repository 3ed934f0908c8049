package dev.comporta.proxy.prepared;

import dev.comporta.proxy.prepared.PreparedText.Kind;
import dev.comporta.tds.request.SystemProcedure;
import org.jspecify.annotations.Nullable;

/**
 * The handles that a client was given, and what each stands for. Every number is the proxy's own, is given once in a
 * client's life, and lies in a range that no server's numbers reach: SQL Server counts statements from 1 and prepared cursors
 * from 1,073,741,825. So a number that reached a server by mistake would be refused; it could not be another client's
 * statement. Takes next to no memory while it is empty. Confined to its bucket's loop.
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

    /** @param binds whether each handle is to pin the client to the server connection that it came from */
    public ClientHandles(PreparedTexts bucket, boolean binds) {
        this.bucket = bucket;
        this.binds = binds;
    }

    /** Whether a number is one that only the proxy gives, to whichever client: no server's handle is. */
    public static boolean isOwnNumber(long number) {
        return HandleTable.isIn(STATEMENTS, number) || HandleTable.isIn(CURSORS, number);
    }

    /** Which kind of handle the procedure takes or returns. */
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
     * What a new handle is to stand for: the text as it is kept for the whole bucket, or one that pins this client. Throws if
     * the client can't be given one, and nothing is held then.
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

    /** @return the number that the client is to know it by */
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
     * What a number stands for that a client gives to a procedure; null if the client was not given it, has given it back, or
     * it is of another kind than the procedure takes. Either kind can be given back by sp_unprepare.
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

    /** The client has given it back. */
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

    /** Whether one of them can be used on its own server connection only. */
    public boolean pin() {
        return bound > 0;
    }

    /** The session was reset, or is over. Numbers go on from where they are. */
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

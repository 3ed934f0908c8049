package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks ALTMETADATA, which describes the rows of a COMPUTE clause, and keeps the columns of each clause by its number for
 * the ALTROW tokens. Only servers before SQL Server 2012 send them, so this walker may allocate.
 */
final class AltMetadataWalker {
    private enum State {
        HEAD,
        BY_COLUMNS,
        AGGREGATE,
        COLUMN
    }

    /** More COMPUTE clauses than a statement can have; limits the memory that a forged response can take. */
    private static final int MAX_CLAUSES = 256;

    private record Clause(int id, Columns columns) {}

    private final Cursor cursor;
    private final ColumnWalker column;
    private final List<Clause> clauses = new ArrayList<>();
    private State state = State.HEAD;
    private Columns current = new Columns();
    private int columnsLeft;

    AltMetadataWalker(Cursor cursor) {
        this.cursor = cursor;
        column = new ColumnWalker(cursor);
    }

    void forget() {
        if (!clauses.isEmpty()) {
            clauses.clear();
        }
    }

    void begin() {
        state = State.HEAD;
    }

    /** The columns of ALTROW tokens with this number. */
    Columns clause(int id) {
        for (Clause clause : clauses) {
            if (clause.id == id) {
                return clause.columns;
            }
        }
        throw new ProtocolException("no ALTMETADATA for clause %d".formatted(id));
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, WireFormat format) {
        while (true) {
            switch (state) {
                case HEAD -> {
                    if (!cursor.take(packet, 4)) {
                        return false;
                    }
                    columnsLeft = (int) cursor.field & 0xFFFF;
                    clause((int) (cursor.field >>> 16), new Columns());
                    state = State.BY_COLUMNS;
                }
                case BY_COLUMNS -> {
                    if (!cursor.take(packet, 1)) {
                        return false;
                    }
                    cursor.skip(Short.BYTES * cursor.field);
                    state = State.AGGREGATE;
                }
                case AGGREGATE -> {
                    if (columnsLeft == 0) {
                        return true;
                    }
                    cursor.skip(1 + Short.BYTES); // operator and operand
                    column.begin();
                    state = State.COLUMN;
                }
                case COLUMN -> {
                    if (!column.walk(packet, format)) {
                        return false;
                    }
                    current.add(column.column());
                    columnsLeft--;
                    state = State.AGGREGATE;
                }
            }
        }
    }

    private void clause(int id, Columns columns) {
        clauses.removeIf(clause -> clause.id == id);
        if (clauses.size() == MAX_CLAUSES) {
            throw new ProtocolException("more than %d COMPUTE clauses".formatted(MAX_CLAUSES));
        }
        columns.begin();
        current = columns;
        clauses.add(new Clause(id, columns));
    }
}

package dev.comporta.proxy.console;

import dev.comporta.console.Outcome;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the tokens of one answer, in their order. One thread at a time. */
final class ConsoleAnswer {
    private static final int SELECT = 0xC1;
    private static final int EXECUTE = 0xE0;
    private static final int SEVERITY = 16;
    /** The longest text that NVARCHAR holds without being a MAX type. */
    private static final int MOST_LETTERS = 4000;

    private static final TypeInfo INT = TypeInfo.intN(Integer.BYTES);

    /** The DONE token of a statement, not written yet: whether it says MORE depends on what follows. */
    private interface Ending {
        void write(int more);
    }

    private final TdsVersion version;
    private final TokenWriter tokens;
    private final String server;
    private final ByteBuf out = Unpooled.buffer();
    private @Nullable Ending ending;
    /** Whether statements belong to a procedure call, not to a batch. */
    private boolean inCall;

    ConsoleAnswer(TdsVersion version, String server) {
        this.version = version;
        this.server = server;
        tokens = new TokenWriter(version);
    }

    void resetAcknowledged() {
        tokens.resetAcknowledged(out);
    }

    void beginCall() {
        more();
        inCall = true;
    }

    /** @return whether the statement succeeded */
    boolean outcome(Outcome outcome) {
        more();
        switch (outcome) {
            case Outcome.Rows(List<Column> columns, List<Row> rows) -> {
                rows(columns, rows);
                done(DoneStatus.COUNT, SELECT, rows.size());
            }
            case Outcome.Done(String message) -> {
                if (!message.isEmpty()) {
                    tokens.info(out, 0, 1, 0, message, server, "", 1);
                }
                done(DoneStatus.FINAL, 0, 0);
            }
            case Outcome.Failed failed -> {
                tokens.error(
                        out, failed.number(), 1, SEVERITY, failed.messageWithPosition(), server, "", failed.line());
                done(DoneStatus.ERROR, 0, 0);
                return false;
            }
        }
        return true;
    }

    private void done(int status, int command, long rows) {
        ending = inCall
                ? more -> tokens.doneInProc(out, status | DoneStatus.MORE, command, rows)
                : more -> tokens.done(out, status | more, command, rows);
    }

    private void more() {
        Ending before = ending;
        if (before != null) {
            ending = null;
            before.write(DoneStatus.MORE);
        }
    }

    private void rows(List<Column> columns, List<Row> rows) {
        List<ColumnMetadata> described = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            described.add(new ColumnMetadata(column.name(), wireType(column.type(), rows, i), true, false));
        }
        RowFormat format = new RowFormat(version, described);
        format.writeMetadata(out);
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (Row row : rows) {
            row.copyTo(values, 0);
            format.writeRow(out, values);
        }
    }

    private TypeInfo wireType(ColumnType type, List<Row> rows, int column) {
        return switch (type) {
            case BIT -> TypeInfo.bitN();
            case INT -> INT;
            case BIGINT -> TypeInfo.intN(Long.BYTES);
            case FLOAT -> TypeInfo.floatN(Double.BYTES);
            case DATETIME2 -> TypeInfo.datetime2(7);
            case NVARCHAR -> {
                boolean isLong = rows.stream()
                        .anyMatch(row -> row.get(column) instanceof String text && text.length() > MOST_LETTERS);
                yield !isLong
                        ? TypeInfo.nvarchar(MOST_LETTERS)
                        : version.hasPartialLengthValues() ? TypeInfo.nvarchar(TypeInfo.MAX) : TypeInfo.ntext();
            }
        };
    }

    void handle(int value) {
        more();
        tokens.returnStatus(out, 0);
        tokens.returnValue(out, 0, "", TokenWriter.OUTPUT_PARAMETER, INT, value);
    }

    void status(int status) {
        more();
        tokens.returnStatus(out, status);
    }

    void endCall(boolean good) {
        more();
        inCall = false;
        ending = more -> tokens.doneProc(out, more | (good ? 0 : DoneStatus.ERROR), EXECUTE, 0);
    }

    void error(int number, String text) {
        more();
        tokens.error(out, number, 1, SEVERITY, text, server, "", 1);
    }

    void transactionBegan(long number) {
        tokens.transactionBegan(out, number);
    }

    void transactionCommitted(long number) {
        tokens.transactionCommitted(out, number);
    }

    void transactionRolledBack(long number) {
        tokens.transactionRolledBack(out, number);
    }

    ConsoleAnswer failed(String text) {
        error(50_000, text);
        done(DoneStatus.ERROR, 0, 0);
        return this;
    }

    /** The whole answer to a request that was cancelled. The receiver owns it. */
    ByteBuf attention() {
        tokens.done(out, DoneStatus.ATTN, 0, 0);
        return out;
    }

    /** The receiver owns it. */
    ByteBuf end() {
        Ending last = ending;
        if (last == null) {
            tokens.done(out, DoneStatus.FINAL, 0, 0);
        } else {
            last.write(0);
        }
        return out;
    }
}

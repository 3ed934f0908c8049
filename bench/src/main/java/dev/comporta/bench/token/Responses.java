package dev.comporta.bench.token;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;

/** The responses to walk, as SQL Server would send them. */
final class Responses {
    private static final TdsVersion VERSION = TdsVersion.V7_4;
    private static final int SELECT = 0xC1;

    private Responses() {}

    /** Ten columns such as an application's table has; every eighth row has a null in it. */
    static void writeTenColumns(ByteBuf out, int rows) {
        RowFormat format = new RowFormat(
                VERSION,
                List.of(
                        new ColumnMetadata("id", TypeInfo.intN(8)),
                        new ColumnMetadata("customer", TypeInfo.intN(4)),
                        new ColumnMetadata("name", TypeInfo.nvarchar(100)),
                        new ColumnMetadata("code", TypeInfo.varchar(20)),
                        new ColumnMetadata("price", TypeInfo.decimal(18, 2)),
                        new ColumnMetadata("created", TypeInfo.datetime2(7)),
                        new ColumnMetadata("due", TypeInfo.date()),
                        new ColumnMetadata("active", TypeInfo.bitN()),
                        new ColumnMetadata("token", TypeInfo.guid()),
                        new ColumnMetadata("note", TypeInfo.nvarchar(TypeInfo.MAX))));
        format.writeMetadata(out);
        for (int i = 0; i < rows; i++) {
            format.writeRow(
                    out,
                    (long) i,
                    i / 7,
                    "Customer number " + i,
                    "C-" + i,
                    BigDecimal.valueOf(i, 2),
                    LocalDateTime.of(2024, 1, 1, 0, 0).plusSeconds(i),
                    LocalDate.of(2024, 1, 1).plusDays(i % 365),
                    i % 2 == 0,
                    new UUID(i, -i),
                    i % 8 == 0 ? null : "delivered to the back door, signed by the neighbour");
        }
        new TokenWriter(VERSION).done(out, DoneStatus.COUNT, SELECT, rows);
    }

    /** The narrowest rows, so that the cost per row dominates. */
    static void writeOneColumn(ByteBuf out, int rows) {
        RowFormat format = new RowFormat(VERSION, List.of(new ColumnMetadata("n", TypeInfo.intN(4))));
        format.writeMetadata(out);
        for (int i = 0; i < rows; i++) {
            format.writeRow(out, i);
        }
        new TokenWriter(VERSION).done(out, DoneStatus.COUNT, SELECT, rows);
    }

    /** One row of one column, a frequent response in web applications. */
    static void writeOneRow(ByteBuf out) {
        RowFormat format = new RowFormat(VERSION, List.of(new ColumnMetadata("", TypeInfo.intN(4))));
        format.writeMetadata(out);
        format.writeRow(out, 1);
        new TokenWriter(VERSION).done(out, DoneStatus.COUNT, SELECT, 1);
    }

    /** The answer to a COMMIT: two tokens, one of them a transaction's end. */
    static void writeCommit(ByteBuf out) {
        TokenWriter writer = new TokenWriter(VERSION);
        writer.transactionCommitted(out, 0x0000_0035_0000_0001L);
        writer.done(out, DoneStatus.FINAL, 0xD5, 0);
    }
}

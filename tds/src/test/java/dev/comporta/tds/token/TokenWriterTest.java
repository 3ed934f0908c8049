package dev.comporta.tds.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.type.Collation;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tokens byte for byte. */
class TokenWriterTest {
    private final TokenWriter writer = new TokenWriter(TdsVersion.V7_4);
    private final TokenWriter old = new TokenWriter(TdsVersion.V7_1);

    @Test
    void doneCountsInEightBytesAndInFourBefore() {
        assertWritten(out -> writer.done(out, DoneStatus.COUNT, 0xC1, 5), "fd 1000 c100 0500000000000000");
        assertWritten(out -> writer.doneProc(out, DoneStatus.MORE, 0, 0), "fe 0100 0000 0000000000000000");
        assertWritten(out -> old.doneInProc(out, DoneStatus.COUNT, 0xC3, 5), "ff 1000 c300 05000000");
    }

    @Test
    void errorAndInfoDifferInTheirTokenAlone() {
        String body = """
                f4480000 01 0e  # number 18676, state 1, class 14
                0200 "no"       # text
                01 "s"          # server
                00              # no procedure
                """;
        assertWritten(out -> writer.error(out, 18676, 1, 14, "no", "s", "", 3), "aa 1400 " + body + "03000000");
        assertWritten(out -> writer.info(out, 18676, 1, 14, "no", "s", "", 3), "ab 1400 " + body + "03000000");
        assertWritten(out -> old.error(out, 18676, 1, 14, "no", "s", "", 3), "aa 1200 " + body + "0300");
    }

    @Test
    void environmentChanges() {
        assertWritten(out -> writer.envChange(out, EnvChange.DATABASE, "a", "b"), "e3 0700 01 01 \"a\" 01 \"b\"");
        assertWritten(out -> writer.collationChanged(out, Collation.DEFAULT, null), "e3 0800 07 05 0904d00034 00");
        assertWritten(out -> writer.transactionBegan(out, 0x0102), "e3 0b00 08 08 0201000000000000 00");
        assertWritten(out -> writer.transactionCommitted(out, 0x0102), "e3 0b00 09 00 08 0201000000000000");
        assertWritten(out -> writer.transactionRolledBack(out, 0x0102), "e3 0b00 0a 00 08 0201000000000000");
        assertWritten(out -> writer.resetAcknowledged(out), "e3 0300 12 00 00");
        assertWritten(out -> writer.routing(out, "h", 1433), "e3 0c00 14 0700 00 9905 0100 \"h\" 0000");
        assertWritten(
                out -> writer.enhancedRouting(out, "h", 1433, "d"),
                "e3 1000 15 0b00 00 9905 0100 \"h\" 0100 \"d\" 0000");
        assertWritten(out -> writer.transactionPromoted(out, new byte[] {7}), "e3 0100 0f 01000000 07 00");
    }

    @Test
    void loginAnswer() {
        assertWritten(out -> writer.loginAck(out, "M", 16, 0, 0x10EF), "ad 0c00 01 74000004 01 \"M\" 10 00 10ef");
        assertWritten(
                out -> writer.featureExtAck(out, new TreeMap<>(Map.of(1, new byte[0], 10, new byte[] {1}))),
                "ae 01 00000000 0a 01000000 01 ff");
    }

    @Test
    void returnStatusAndValue() {
        assertWritten(out -> writer.returnStatus(out, -1), "79 ffffffff");
        assertWritten(
                out -> writer.returnValue(out, 0, "@h", TokenWriter.OUTPUT_PARAMETER, TypeInfo.intN(4), 7),
                "ac 0000 02 \"@h\" 01 00000000 0100 2604 04 07000000");
        assertWritten(
                out -> old.returnValue(out, 0, "", TokenWriter.OUTPUT_PARAMETER, TypeInfo.intN(4), null),
                "ac 0900 00 01 0000 0100 2604 00");
        assertWritten(
                out -> old.returnValue(out, 3, "@h", TokenWriter.OUTPUT_PARAMETER, TypeInfo.intN(4), 12),
                "ac 1100 02 \"@h\" 01 0000 0100 2604 04 0c000000");
    }

    @Test
    void browseModeTokens() {
        assertWritten(out -> writer.order(out, 1, 2), "a9 0400 0100 0200");
        assertWritten(out -> writer.tabName(out, List.of(List.of("d", "t"))), "a4 0900 02 0100 \"d\" 0100 \"t\"");
        assertWritten(
                out -> writer.colInfo(out, List.of(new TokenWriter.ColInfo(1, 1, 0x08, "x"))),
                "a5 0600 01 01 28 01 \"x\"");
    }

    @Test
    void sessionState() {
        assertWritten(
                out -> writer.sessionState(out, 3, true, Map.of(9, new byte[] {1})),
                "e4 08000000 03000000 01 09 01 01");
    }

    @Test
    void metadataOfOldAndNewVersions() {
        List<ColumnMetadata> columns = List.of(
                new ColumnMetadata("i", TypeInfo.intN(4), true, false),
                new ColumnMetadata("d", TypeInfo.date(), true, false),
                new ColumnMetadata("m", TypeInfo.nvarchar(TypeInfo.MAX), true, false));
        assertWritten(new RowFormat(TdsVersion.V7_4, columns)::writeMetadata, """
                81 0300
                00000000 0900 2604 01 "i"
                00000000 0900 28 01 "d"
                00000000 0900 e7 ffff 0904d00034 01 "m"
                """);
        assertWritten(new RowFormat(TdsVersion.V7_1, columns)::writeMetadata, """
                81 0300
                0000 0900 2604 01 "i"
                0000 0900 e7 1400 0904d00034 01 "d"    # date as nvarchar(10)
                0000 0900 63 feffff7f 0904d00034 0000 01 "m"  # nvarchar(max) as ntext, of no table
                """);
    }

    @Test
    void rowWithNullHasBitmapFrom73B() {
        List<ColumnMetadata> columns = List.of(
                new ColumnMetadata("a", TypeInfo.intN(4)),
                new ColumnMetadata("b", TypeInfo.nvarchar(5)),
                new ColumnMetadata("c", TypeInfo.intN(1)));
        assertWritten(
                out -> new RowFormat(TdsVersion.V7_3B, columns).writeRow(out, 1, null, (short) 2),
                "d2 02 04 01000000 01 02");
        assertWritten(
                out -> new RowFormat(TdsVersion.V7_3B, columns).writeRow(out, 1, "x", (short) 2),
                "d1 04 01000000 0200 \"x\" 01 02");
        assertWritten(
                out -> new RowFormat(TdsVersion.V7_3A, columns).writeRow(out, 1, null, (short) 2),
                "d1 04 01000000 ffff 01 02");
    }

    @Test
    void oldClientsGetDatesAsText() {
        RowFormat format = new RowFormat(
                TdsVersion.V7_2,
                List.of(
                        new ColumnMetadata("d", TypeInfo.date()),
                        new ColumnMetadata("t", TypeInfo.time(3)),
                        new ColumnMetadata("o", TypeInfo.datetimeoffset(0))));
        assertWritten(
                out -> format.writeRow(
                        out,
                        LocalDate.of(2024, 2, 29),
                        LocalTime.of(1, 2, 3, 4_000_000),
                        OffsetDateTime.parse("2024-02-29T01:02:03-05:30")),
                """
                d1
                1400 "2024-02-29"
                1800 "01:02:03.004"
                3400 "2024-02-29 01:02:03 -05:30"
                """);
    }

    @Test
    void longValuesLeaveTheBufferInPieces() {
        RowFormat format = new RowFormat(
                TdsVersion.V7_4,
                List.of(
                        new ColumnMetadata("t", TypeInfo.nvarchar(TypeInfo.MAX)),
                        new ColumnMetadata("b", TypeInfo.varbinary(TypeInfo.MAX)),
                        new ColumnMetadata("v", TypeInfo.varchar(TypeInfo.MAX))));
        String text = "é".repeat(1_000_000);
        byte[] bytes = new byte[3_000_000];
        ByteBuf out = Unpooled.buffer();
        ByteBuf all = Unpooled.buffer();
        format.writeRow(
                out,
                full -> {
                    assertThat(full.readableBytes()).isLessThan(40_000);
                    all.writeBytes(full);
                },
                text,
                bytes,
                text);
        all.writeBytes(out);
        assertThat(out.capacity()).isLessThan(100_000);
        assertThat(all.readUnsignedByte()).isEqualTo((short) TokenType.ROW);
        assertThat(format.wireType(0).readColumn(all)).isEqualTo(text);
        assertThat(format.wireType(1).readColumn(all)).isEqualTo(bytes);
        assertThat(format.wireType(2).readColumn(all)).isEqualTo(text);
        assertThat(all.isReadable()).isFalse();
    }

    @Test
    void tokenTooLongForItsLengthIsRefusedAndTakenBack() {
        ByteBuf out = Unpooled.buffer();
        assertThatThrownBy(() -> writer.error(out, 1, 1, 16, "x".repeat(40_000), "", "", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(out.readableBytes()).isZero();
    }

    private static void assertWritten(Consumer<ByteBuf> write, String expected) {
        ByteBuf out = Unpooled.buffer();
        write.accept(out);
        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo(ByteBufUtil.hexDump(Fixture.ofText(expected).bytes()));
    }
}

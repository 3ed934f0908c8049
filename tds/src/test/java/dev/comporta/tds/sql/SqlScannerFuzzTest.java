package dev.comporta.tds.sql;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/** The first byte says where the text runs and into what pieces it is cut; the others are the text. */
class SqlScannerFuzzTest {
    @FuzzTest
    void anyBytesAreReadTheSameHoweverTheyAreCut(byte[] input) {
        if (input.length > 0) {
            agree(input[0], Arrays.copyOfRange(input, 1, input.length));
        }
    }

    /** One byte per character: with two, a fuzzer hardly ever finds a keyword. */
    @DictionaryEntries({
        "BEGIN",
        "TRAN",
        "END",
        "TRY",
        "CATCH",
        "IF",
        "ELSE",
        "WHILE",
        "EXISTS",
        "CASE",
        "SET",
        "NOCOUNT",
        "ON",
        "OFF",
        "ROWCOUNT",
        "TRANSACTION",
        "ISOLATION",
        "LEVEL",
        "STATISTICS",
        "IDENTITY_INSERT",
        "OFFSETS",
        "EXEC",
        "AS",
        "sp_getapplock",
        "@LockOwner",
        "sp_executesql N'",
        "EXEC('",
        "UPDATE",
        "INSERT",
        "INTO",
        "BULK",
        "VALUES",
        "MERGE",
        "THEN",
        "USE",
        "CREATE",
        "TABLE",
        "ALTER",
        "DATABASE",
        "PROC",
        "DECLARE",
        "CURSOR",
        "FOR",
        "OPEN",
        "DEALLOCATE",
        "GOTO",
        "RETURN",
        "GRANT",
        "SELECT",
        "@@IDENTITY",
        "#t",
        "/*",
        "*/",
        "--",
        "0x",
        "{call",
        "$action"
    })
    @FuzzTest
    void anyStatementsAreReadTheSameHoweverTheyAreCut(byte[] input) {
        if (input.length > 0) {
            String text = new String(input, 1, input.length - 1, ISO_8859_1);
            agree(input[0], text.getBytes(UTF_16LE));
        }
    }

    private static void agree(byte choice, byte[] text) {
        Scope scope = choice < 0 ? Scope.INNER : Scope.BATCH;
        int piece = 1 + (choice & 0x0F);
        ByteBuf bytes = Unpooled.wrappedBuffer(text);
        SqlScanner whole = new SqlScanner();
        String expected = SqlTexts.describe(whole.scan(bytes, 0, text.length, scope));
        assertThat(whole.steps()).isLessThanOrEqualTo(6L * text.length + 6);

        SqlScanner pieces = new SqlScanner();
        pieces.start(scope);
        for (int at = 0; at < text.length; at += piece) {
            pieces.feed(bytes, at, Math.min(piece, text.length - at));
        }
        assertThat(SqlTexts.describe(pieces.end())).isEqualTo(expected);
    }
}

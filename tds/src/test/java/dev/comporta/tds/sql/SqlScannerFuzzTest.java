package dev.comporta.tds.sql;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

class SqlScannerFuzzTest {
    /** Any bytes are a text; however they are cut, the scanner says the same of them and does not throw. */
    @FuzzTest(maxDuration = "2m")
    void anyBytesInAnyPieces(FuzzedDataProvider data) {
        Scope scope = data.pickValue(Scope.values());
        int piece = data.consumeInt(1, 9);
        byte[] text = data.consumeRemainingAsBytes();
        agree(text, scope, piece);
    }

    /** The same of ASCII, which a fuzzer turns into keywords sooner than it finds UCS-2. */
    @FuzzTest(maxDuration = "2m")
    void anyAsciiInAnyPieces(FuzzedDataProvider data) {
        Scope scope = data.pickValue(Scope.values());
        int piece = data.consumeInt(1, 9);
        String text = data.consumeRemainingAsAsciiString();
        agree(text.getBytes(UTF_16LE), scope, piece);
    }

    private static void agree(byte[] text, Scope scope, int piece) {
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

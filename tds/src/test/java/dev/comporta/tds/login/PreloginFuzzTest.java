package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class PreloginFuzzTest {
    static Stream<byte[]> prelogins() {
        return Stream.of(
                        "00001f000601002500010200260001030027000404002b000106002c0001ff" // options
                                + "100003e80000" + "00" + "00" + "00000db8" + "01" + "01",
                        "0000060006ff090000000000",
                        "0000060006ff")
                .map(HexFormat.of()::parseHex);
    }

    @MethodSource("prelogins")
    @FuzzTest
    void anyBytesAreAPreloginOrAProtocolError(byte[] bytes) {
        Prelogin prelogin;
        try {
            prelogin = Prelogin.read(Unpooled.wrappedBuffer(bytes));
        } catch (ProtocolException expected) {
            return;
        }
        assertThat(prelogin.toString()).isNotEmpty();
        assertThat(prelogin.instance().length()).isLessThanOrEqualTo(bytes.length);
        ByteBuf out = Unpooled.buffer();
        prelogin.write(out);
        assertThat(Prelogin.read(out)).isEqualTo(prelogin);
    }
}

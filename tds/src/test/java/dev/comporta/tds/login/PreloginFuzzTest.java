package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

class PreloginFuzzTest {
    @FuzzTest
    void anyBytesAreAPreloginOrAProtocolError(byte[] bytes) {
        Prelogin prelogin;
        try {
            prelogin = Prelogin.read(Unpooled.wrappedBuffer(bytes));
        } catch (ProtocolException expected) {
            return;
        }
        assertThat(prelogin.toString()).isNotEmpty();
        assertThat(prelogin.version()).isNotNull();
        assertThat(prelogin.instance()).isNotNull();
        assertThat(prelogin.mars()).isEqualTo(prelogin.mars());
        assertThat(prelogin.fedAuthRequired()).isEqualTo(prelogin.fedAuthRequired());
        prelogin.encryption();
        rewrite(prelogin);
    }

    /** Values of a garbage message may overlap, so that it grows beyond what can be written; otherwise it reads back. */
    private static void rewrite(Prelogin prelogin) {
        ByteBuf out = Unpooled.buffer();
        try {
            prelogin.write(out);
        } catch (IllegalArgumentException tooLong) {
            return;
        }
        assertThat(Prelogin.read(out)).isEqualTo(prelogin);
    }
}

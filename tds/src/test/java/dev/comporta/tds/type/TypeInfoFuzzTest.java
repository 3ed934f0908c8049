package dev.comporta.tds.type;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

class TypeInfoFuzzTest {
    private static final TdsVersion[] VERSIONS = TdsVersion.values();

    /** The first byte is the version and who sends it; TYPE_INFO follows, and a value of it. */
    @FuzzTest
    void anyBytesAreAValueOrAProtocolError(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        TdsVersion version = VERSIONS[(bytes[0] & 0x7F) % VERSIONS.length];
        ByteBuf in = Unpooled.wrappedBuffer(bytes, 1, bytes.length - 1);
        TypeInfo type;
        ByteBuf again;
        try {
            type = bytes[0] < 0 ? TypeInfo.readParameter(in, version) : TypeInfo.read(in, version);
            again = in.duplicate();
            type.readColumn(in);
        } catch (ProtocolException expected) {
            assertThat(expected).hasMessageNotContaining("null");
            return;
        }
        type.skipColumn(again);
        assertThat(again.readerIndex()).isEqualTo(in.readerIndex());
    }
}

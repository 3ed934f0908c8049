package dev.comporta.tds.token.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

class TokenWalkerFuzzTest {
    private static final TdsVersion[] VERSIONS = TdsVersion.values();

    /** The first byte is the version, the second the features, the third the size of packets. */
    @FuzzTest
    void anyBytesAreAResponseOrAProtocolErrorHoweverTheyAreCut(byte[] bytes) {
        if (bytes.length < 3) {
            return;
        }
        TdsVersion version = VERSIONS[(bytes[0] & 0xFF) % VERSIONS.length];
        WireFormat format = new WireFormat(version, (bytes[1] & 1) != 0, (bytes[1] >> 1) & 3);
        ByteBuf response = Unpooled.wrappedBuffer(bytes, 3, bytes.length - 3);
        int packet = 1 + (bytes[2] & 0xFF);
        List<String> whole = walk(response, format, Integer.MAX_VALUE, TokenWalker::walk);
        assertThat(walk(response, format, packet, TokenWalker::walk)).isEqualTo(whole);
        assertThat(walk(response, format, packet, OutsideHeap::walk)).isEqualTo(whole);
        assertThat(walk(response, format, 1, TokenWalker::walk)).isEqualTo(whole);
    }

    private interface Way {
        void walk(TokenWalker walker, ByteBuf packet, int from, int to, boolean endOfMessage);
    }

    private static List<String> walk(ByteBuf response, WireFormat format, int packet, Way way) {
        RecordingSink sink = new RecordingSink(true);
        TokenWalker walker = new TokenWalker(format, sink);
        int end = response.writerIndex();
        try {
            int from = 0;
            do {
                int to = (int) Math.min((long) from + packet, end);
                way.walk(walker, response, from, to, to == end);
                from = to;
            } while (from < end);
        } catch (ProtocolException expected) {
            sink.events.add("protocol error");
        }
        return sink.events;
    }
}

package dev.comporta.tds.token.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.Unpooled;
import java.util.List;

/** What a walker makes of a response in annotated hex, in packets of every size. */
public final class Walks {
    public static final WireFormat V74 = new WireFormat(TdsVersion.V7_4);
    public static final WireFormat V71 = new WireFormat(TdsVersion.V7_1);
    public static final String DONE = "fd 0000 0000 0000000000000000\n";
    public static final String DONE_71 = "fd 0000 0000 00000000\n";
    public static final String DONE_EVENT = "DONE 0 command 0 rows 0";

    private Walks() {}

    static List<String> assertWalked(WireFormat format, String response, String... events) {
        List<String> walked = WalkerReplay.replay(Fixture.ofText(response), format);
        assertThat(walked.subList(0, walked.size() - 1)).containsExactly(events);
        assertThat(walked).last().isEqualTo("end");
        return walked;
    }

    static void assertRefused(WireFormat format, String response, String... reasons) {
        byte[] bytes = Fixture.ofText(response).bytes();
        TokenWalker whole = new TokenWalker(format, new RecordingSink(true));
        assertThatThrownBy(() -> whole.walk(Unpooled.wrappedBuffer(bytes), 0, bytes.length, false))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContainingAll(reasons);
        TokenWalker byByte = new TokenWalker(format, new RecordingSink(true));
        assertThatThrownBy(() -> {
                    for (byte one : bytes) {
                        byByte.walk(Unpooled.wrappedBuffer(new byte[] {one}), 0, 1, false);
                    }
                })
                .isInstanceOf(ProtocolException.class)
                .hasMessageContainingAll(reasons);
    }

    static void assertCutShort(String response) {
        byte[] bytes = Fixture.ofText(response).bytes();
        TokenWalker walker = new TokenWalker(V74, new RecordingSink(true));
        assertThatThrownBy(() -> walker.walk(Unpooled.wrappedBuffer(bytes), 0, bytes.length, true))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the message ends");
    }
}

package dev.comporta.proxy;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.PacketRelay;
import dev.comporta.testkit.PacketRelay.Verdict;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Stands before a server and answers some requests itself, with whatever bytes a test wants. */
final class OddServer implements AutoCloseable {
    /** Few: an answer is several packets. */
    private static final int PACKET_BYTES = 5;

    private final PacketRelay relay;
    /** The requests that were answered here, as they came. */
    final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
    /** Those that the server got. */
    final Queue<byte[]> passed = new ConcurrentLinkedQueue<>();

    private volatile byte @Nullable [] answer;
    private volatile boolean whole;
    private volatile boolean always;

    OddServer(int serverPort) throws IOException {
        relay = new PacketRelay(serverPort, this::judge);
    }

    int port() {
        return relay.port();
    }

    /** Has the next request answered by these tokens. It must be one packet. */
    void answerNext(byte[] tokens) {
        whole = false;
        answer = tokens;
    }

    /** The same, in one packet. */
    void answerNextAtOnce(byte[] tokens) {
        whole = true;
        answer = tokens;
    }

    /** The same for all requests from now on. */
    void answerAllAtOnce(byte[] tokens) {
        always = true;
        answerNextAtOnce(tokens);
    }

    private Verdict judge(int type, byte[] payload) {
        byte[] odd = answer;
        if (odd == null) {
            passed.add(payload);
            return new Verdict.Pass();
        }
        answer = always ? odd : null;
        heard.add(payload);
        return new Verdict.Answer(packets(odd, whole ? odd.length : PACKET_BYTES));
    }

    private static ByteBuf packets(byte[] tokens, int packetBytes) {
        ByteBuf packets = Unpooled.buffer();
        ByteBuf rest = Unpooled.wrappedBuffer(tokens);
        while (rest.isReadable()) {
            ByteBuf part = rest.readSlice(Math.min(rest.readableBytes(), packetBytes));
            packets.writeByte(PacketType.TABULAR_RESULT)
                    .writeByte(rest.isReadable() ? 0 : PacketHeader.STATUS_EOM)
                    .writeShort(PacketHeader.LENGTH + part.readableBytes())
                    .writeInt(0)
                    .writeBytes(part);
        }
        return packets;
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }
}

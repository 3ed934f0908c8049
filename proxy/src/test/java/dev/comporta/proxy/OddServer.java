package dev.comporta.proxy;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Stands before a server and answers some requests itself, with whatever bytes a test wants. */
final class OddServer implements AutoCloseable {
    /** Few: an answer is several packets. */
    private static final int PACKET_BYTES = 5;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    /** The requests that were answered here, as they came. */
    final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();

    private volatile byte @Nullable [] answer;
    private volatile boolean whole;
    private volatile boolean always;

    OddServer(int serverPort) throws IOException {
        this.serverPort = serverPort;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
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

    private void accept() {
        try {
            while (!socket.isClosed()) {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> relay(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void relay(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread.ofVirtual().start(() -> copyAnswers(server, client));
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            while (true) {
                byte[] header = in.readNBytes(PacketHeader.LENGTH);
                if (header.length < PacketHeader.LENGTH) {
                    return;
                }
                byte[] payload = in.readNBytes(((header[2] & 0xFF) << 8 | header[3] & 0xFF) - PacketHeader.LENGTH);
                byte[] odd = answer;
                if (odd == null) {
                    out.write(header);
                    out.write(payload);
                } else {
                    answer = always ? odd : null;
                    heard.add(payload);
                    client.getOutputStream().write(packets(odd, whole ? odd.length : PACKET_BYTES));
                }
            }
        } catch (IOException e) {
            // Either side is gone: so is the other.
        }
    }

    private static byte[] packets(byte[] tokens, int packetBytes) {
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
        return ByteBufUtil.getBytes(packets);
    }

    private static void copyAnswers(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Closed by the other direction.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package dev.comporta.testkit;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Relays clients to a server. The test decides what happens to each packet of a client; responses pass unchanged. */
public final class PacketRelay implements AutoCloseable {
    /** What becomes of a packet. */
    public sealed interface Verdict {
        /** It goes to the server. */
        record Pass() implements Verdict {}

        /** The server never sees it; the client gets these packets instead. */
        record Answer(ByteBuf packets) implements Verdict {}

        /** Both connections are closed. */
        record HangUp() implements Verdict {}
    }

    /** Asked for each packet, on the thread of its client. */
    public interface Judge {
        Verdict judge(int type, byte[] payload);
    }

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private final Judge judge;

    public PacketRelay(int serverPort, Judge judge) throws IOException {
        this.serverPort = serverPort;
        this.judge = judge;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
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
                byte[] payload = in.readNBytes(((header[2] & 0xFF) << 8 | (header[3] & 0xFF)) - PacketHeader.LENGTH);
                switch (judge.judge(header[0], payload)) {
                    case Verdict.Pass _ -> {
                        out.write(header);
                        out.write(payload);
                    }
                    case Verdict.Answer(ByteBuf packets) ->
                        packets.readBytes(client.getOutputStream(), packets.readableBytes());
                    case Verdict.HangUp _ -> {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // Either side is gone: so is the other.
        }
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

package dev.comporta.proxy;

import dev.comporta.tds.packet.PacketHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A relay before a server, without TLS. Once a test takes over the open connections, the server gets no more of their
 * packets, and the test writes the responses. Connections opened later reach the server.
 */
final class ScriptedServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    /** The types of the packets that were kept from the server. */
    final BlockingQueue<Integer> intercepted = new LinkedBlockingQueue<>();

    ScriptedServer(int serverPort) throws IOException {
        this.serverPort = serverPort;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    void takeOver() {
        lines.forEach(line -> line.taken = true);
    }

    /** Sends these bytes, in one write, on each connection that was taken over. */
    void respond(String hex) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        for (Line line : lines) {
            if (line.taken) {
                line.client.getOutputStream().write(bytes);
            }
        }
    }

    private void accept() {
        try {
            while (!socket.isClosed()) {
                Line line = new Line(socket.accept(), new Socket(InetAddress.getLoopbackAddress(), serverPort));
                lines.add(line);
                Thread.ofVirtual().start(line::copyRequests);
                Thread.ofVirtual().start(line::copyAnswers);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private final class Line {
        private final Socket client;
        private final Socket server;
        private volatile boolean taken;

        Line(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void copyRequests() {
            try (client;
                    server) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                OutputStream out = server.getOutputStream();
                byte[] header = in.readNBytes(PacketHeader.LENGTH);
                while (header.length == PacketHeader.LENGTH) {
                    int length = (header[2] & 0xFF) << 8 | header[3] & 0xFF;
                    byte[] payload = in.readNBytes(length - PacketHeader.LENGTH);
                    if (taken) {
                        intercepted.add((int) header[0]);
                    } else {
                        out.write(header);
                        out.write(payload);
                    }
                    header = in.readNBytes(PacketHeader.LENGTH);
                }
            } catch (IOException e) {
                // Either side is gone: so is the other.
            }
        }

        void copyAnswers() {
            try (client;
                    server) {
                server.getInputStream().transferTo(client.getOutputStream());
            } catch (IOException e) {
                // Closed by the other direction.
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Line line : lines) {
            line.client.close();
        }
    }
}

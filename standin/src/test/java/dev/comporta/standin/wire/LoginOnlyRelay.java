package dev.comporta.standin.wire;

import dev.comporta.tds.packet.PacketHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Relays one connection of jTDS. Changes its PRELOGIN so that the server does not recognize jTDS, and runs an action when
 * the answer to LOGIN7 has arrived, before it is passed on.
 */
final class LoginOnlyRelay implements AutoCloseable {
    private static final int TABULAR_RESULT = 0x04;

    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Socket server;
    private final Runnable beforeAnswer;
    private final boolean closesAfterAnswer;
    private final CountDownLatch answerSent = new CountDownLatch(1);

    /** @param closesAfterAnswer whether the client is sent the end of the stream right after the answer to LOGIN7 */
    LoginOnlyRelay(int serverPort, Runnable beforeAnswer, boolean closesAfterAnswer) throws IOException {
        this.server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        this.beforeAnswer = beforeAnswer;
        this.closesAfterAnswer = closesAfterAnswer;
        Thread.ofVirtual().start(this::relay);
    }

    String jtdsUrl() {
        return "jdbc:jtds:sqlserver://127.0.0.1:" + listening.getLocalPort()
                + "/AppDB;user=sa;password=secret;ssl=request";
    }

    void awaitAnswerSent() {
        try {
            if (!answerSent.await(10, TimeUnit.SECONDS)) {
                throw new AssertionError("the server has not answered LOGIN7");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void relay() {
        try (Socket client = listening.accept()) {
            DataInputStream fromClient = new DataInputStream(client.getInputStream());
            byte[] prelogin = packet(fromClient);
            prelogin[prelogin.length - 1]++; // of the thread's number, by which jTDS is known
            server.getOutputStream().write(prelogin);
            Thread.ofVirtual().start(() -> answers(client));
            fromClient.transferTo(server.getOutputStream());
            server.shutdownOutput();
        } catch (IOException closed) {
            // by one side or the other, and the test is over
        }
    }

    private void answers(Socket client) {
        try {
            relayAnswers(new DataInputStream(server.getInputStream()), client);
        } catch (IOException closed) {
            // as above
        }
    }

    /** All that a server sends when encryption ends with LOGIN7 is in TDS packets, the handshake too. */
    private void relayAnswers(DataInputStream fromServer, Socket client) throws IOException {
        OutputStream toClient = client.getOutputStream();
        toClient.write(packet(fromServer)); // of PRELOGIN
        byte[] packet = packet(fromServer);
        while (packet[0] != TABULAR_RESULT) {
            toClient.write(packet);
            packet = packet(fromServer);
        }
        beforeAnswer.run();
        toClient.write(packet);
        if (closesAfterAnswer) {
            client.shutdownOutput();
            answerSent.countDown();
        } else {
            answerSent.countDown();
            fromServer.transferTo(toClient);
        }
    }

    private static byte[] packet(DataInputStream from) throws IOException {
        byte[] header = new byte[PacketHeader.LENGTH];
        from.readFully(header);
        int length = (header[2] & 0xFF) << 8 | header[3] & 0xFF;
        byte[] packet = Arrays.copyOf(header, length);
        from.readFully(packet, PacketHeader.LENGTH, length - PacketHeader.LENGTH);
        return packet;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        server.close();
    }
}

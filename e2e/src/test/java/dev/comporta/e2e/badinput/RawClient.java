package dev.comporta.e2e.badinput;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A socket and a few bytes. Knows just enough of TDS to come as far as the byte that is wrong. */
final class RawClient implements AutoCloseable {
    static final int BATCH = 0x01;
    static final int RPC = 0x03;
    static final int LOGIN7 = 0x10;
    static final int PRELOGIN = 0x12;

    private static final int END_OF_MESSAGE = 0x01;
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;

    RawClient(String host, int port) throws IOException {
        socket = new Socket();
        socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
    }

    /** PRELOGIN that can't encrypt, so that what follows is readable. */
    RawClient prelogin() throws IOException {
        // VERSION at 11 for 6, ENCRYPTION at 17 for 1, terminator; version 0, ENCRYPT_NOT_SUP.
        send(packet(PRELOGIN, HexFormat.of().parseHex("00000b0006" + "0100110001" + "ff" + "000000000000" + "02")));
        readPacket();
        return this;
    }

    RawClient login(String user, String password, String database) throws IOException {
        send(packet(LOGIN7, login7(user, password, database)));
        readPacket();
        return this;
    }

    static byte[] login7(String user, String password, String database) {
        String[] fields = {"host", user, password, "bad-input", "server", "", "", "", database, "", "", ""};
        int fixed = 94;
        ByteBuffer body = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        body.position(4).putInt(0x74000004).putInt(4096).putInt(0).putInt(1234).putInt(0);
        body.put((byte) 0xE0)
                .put((byte) 0x03)
                .put((byte) 0)
                .put((byte) 0)
                .putInt(0)
                .putInt(0x0409);
        int at = fixed;
        for (int field = 0; field < 9; field++) {
            body.putShort((short) at).putShort((short) fields[field].length());
            at += 2 * fields[field].length();
        }
        // Client id, then SSPI, attached file, new password and long SSPI: none of them.
        body.put(new byte[6]);
        for (int field = 0; field < 3; field++) {
            body.putShort((short) at).putShort((short) 0);
        }
        body.putInt(0);
        for (int field = 0; field < 9; field++) {
            byte[] text = fields[field].getBytes(StandardCharsets.UTF_16LE);
            for (byte octet : text) {
                int swapped = (octet & 0xF0) >> 4 | (octet & 0x0F) << 4;
                body.put(field == 2 ? (byte) (swapped ^ 0xA5) : octet);
            }
        }
        byte[] whole = new byte[body.position()];
        body.putInt(0, whole.length).get(0, whole);
        return whole;
    }

    static byte[] packet(int type, byte[] body) {
        return packet(type, 8 + body.length, body);
    }

    /** A packet that claims to be of another length than it is. */
    static byte[] packet(int type, int claimedLength, byte[] body) {
        return ByteBuffer.allocate(8 + body.length)
                .put((byte) type)
                .put((byte) END_OF_MESSAGE)
                .putShort((short) claimedLength)
                .putInt(0x00000100)
                .put(body)
                .array();
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    private void readPacket() throws IOException {
        InputStream in = socket.getInputStream();
        byte[] header = in.readNBytes(8);
        if (header.length < 8) {
            throw new IOException("the server closed the connection");
        }
        int length = (header[2] & 0xFF) << 8 | header[3] & 0xFF;
        in.readNBytes(length - 8);
    }

    /** Reads until the server closes; fails when it does not. */
    byte[] readToEnd() throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(answer);
        } catch (SocketTimeoutException open) {
            throw new AssertionError("the server did not close the connection", open);
        } catch (IOException reset) {
            // Closed with what was sent still unread: that is a close too.
        }
        return answer.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

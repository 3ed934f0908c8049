package dev.comporta.e2e.sessions;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/** A TDS client that sends what a {@link Step} says, byte by byte as it says, and reads the answer. */
final class WireClient implements AutoCloseable {
    /** However small, each counts as 64 bytes of the 64 KB that the proxy holds of a request. */
    private static final int MOST_PACKETS = 1_000;

    /** A request that waits in the queue behind fifty sessions on a busy machine comes to its turn before. */
    private static final int PATIENCE_MILLIS = 60_000;

    private static final int BUFFER_BYTES = 8 * 1024;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final AnswerReader reader;
    private final Handles handles = new Handles();

    WireClient(int port, TdsVersion version) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        out = socket.getOutputStream();
        reader = new AnswerReader(version, handles);
    }

    /** Logs in, without encryption. */
    List<String> login(String user, String password, String database) throws IOException {
        ByteBuf prelogin = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(Encryption.NOT_SUPPORTED)
                .build()
                .write(prelogin);
        send(PacketType.PRELOGIN, 0, prelogin, Step.WHOLE, false);
        message();
        ByteBuf login = Unpooled.buffer();
        new Login7Builder()
                .tdsVersion(reader.version().wireValue())
                .userName(user)
                .password(Secret.ofText(password))
                .database(database)
                .appName("sessions")
                .build()
                .write(login);
        send(PacketType.LOGIN7, 0, login, Step.WHOLE, false);
        return reader.read(message(), null);
    }

    /** Sends a request and reads what comes back, up to the acknowledgement of an attention if there was one. */
    List<String> play(Step step) throws IOException {
        handles.beginRequest(step.hasSeveralCalls());
        if (step.reset() != Step.Reset.NONE) {
            handles.reset();
        }
        long transaction = step.reset() == Step.Reset.RESET ? 0 : reader.transaction();
        ByteBuf body = step.body(reader.version(), transaction, handles);
        boolean givenUp = step.interruption() == Step.Interruption.GIVEN_UP;
        // Behind what the proxy holds, handles may get error 8179 (docs/prepared-statements.md).
        int small = Math.max(step.packetBytes(), Math.ceilDiv(body.readableBytes(), MOST_PACKETS));
        int packetBytes = givenUp ? Math.clamp(body.readableBytes() / 2, 1, small) : small;
        send(step.type(), step.reset().status, body, packetBytes, givenUp);
        ByteBuf answer;
        switch (step.interruption()) {
            case NONE, GIVEN_UP -> answer = message();
            case AT_ONCE -> {
                attention();
                answer = message();
            }
            case AFTER_FIRST_PACKET -> {
                answer = Unpooled.buffer();
                boolean last = packet(answer);
                attention();
                while (!last) {
                    last = packet(answer);
                }
            }
            case WHEN_OVER -> {
                answer = message();
                attention();
            }
            default -> throw new IllegalStateException();
        }
        List<String> lines = reader.read(answer, step);
        if (step.interruption() != Step.Interruption.NONE && !givenUp) {
            while (!reader.attentionAcknowledged()) {
                lines.addAll(reader.read(message(), step));
            }
        }
        return lines;
    }

    private void attention() throws IOException {
        send(PacketType.ATTENTION, 0, Unpooled.EMPTY_BUFFER, Step.WHOLE, false);
    }

    private void send(int type, int firstStatus, ByteBuf body, int packetBytes, boolean givenUp) throws IOException {
        ByteBuf packets = Unpooled.buffer(body.readableBytes() + PacketHeader.LENGTH);
        int number = 0;
        do {
            int length = Math.min(packetBytes, body.readableBytes());
            boolean last = length == body.readableBytes();
            int status = (number == 0 ? firstStatus : 0)
                    | (last ? PacketHeader.STATUS_EOM : 0)
                    | (last && givenUp ? PacketHeader.STATUS_IGNORE : 0);
            packets.writeByte(type).writeByte(status).writeShort(PacketHeader.LENGTH + length);
            packets.writeShort(0).writeByte(++number).writeByte(0).writeBytes(body, length);
        } while (body.isReadable());
        packets.readBytes(out, packets.readableBytes());
        out.flush();
    }

    private ByteBuf message() throws IOException {
        ByteBuf message = Unpooled.buffer();
        while (!packet(message)) {
            // until the last one
        }
        return message;
    }

    /** @return whether it was the last one of its message */
    private boolean packet(ByteBuf message) throws IOException {
        byte[] header = in.readNBytes(PacketHeader.LENGTH);
        if (header.length < PacketHeader.LENGTH) {
            throw new EOFException("the connection was closed");
        }
        ByteBuf head = Unpooled.wrappedBuffer(header);
        message.writeBytes(in.readNBytes(PacketHeader.length(head) - PacketHeader.LENGTH));
        return PacketHeader.isEndOfMessage(head);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

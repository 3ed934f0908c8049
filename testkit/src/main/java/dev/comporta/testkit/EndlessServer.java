package dev.comporta.testkit;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A server that answers a request with "everything" in it with the given number of bytes of rows, and others with none. */
public final class EndlessServer implements AutoCloseable {
    private static final int PACKET_SIZE = 8000;
    private static final int ROWS_PER_PACKET = 19;
    private static final String TEXT = "x".repeat(200);
    private static final int PACKETS_PER_WRITE = 16;
    private static final RowFormat FORMAT = new RowFormat(
            TdsVersion.V7_4,
            List.of(new ColumnMetadata("n", TypeInfo.intN(4)), new ColumnMetadata("text", TypeInfo.nvarchar(200))));
    private static final byte[] EVERYTHING = "everything".getBytes(StandardCharsets.UTF_16LE);
    private static final byte[] PRELOGIN = ByteBufUtil.getBytes(CannedAnswers.prelogin());
    private static final byte[] LOGIN = ByteBufUtil.getBytes(CannedAnswers.login("AppDB", PACKET_SIZE));

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final long bytes;
    private final Set<Socket> sessions = ConcurrentHashMap.newKeySet();
    /** Bytes of rows written to the network. */
    public final AtomicLong sent = new AtomicLong();
    /** The size of a response to "everything" without its first packet, set when all of it has been written. */
    public final AtomicLong answered = new AtomicLong();
    /** The size of that response's first packet, which describes the columns. */
    public volatile long firstPacket;

    public EndlessServer(long bytes) throws IOException {
        this.bytes = bytes;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        sessions.add(client);
        try (client) {
            client.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                answer(in, out);
            }
        } catch (IOException e) {
            // Hung up.
        } finally {
            sessions.remove(client);
        }
    }

    /** Closes all connections, as a stopping server does. */
    public void hangUp() throws IOException {
        for (Socket session : sessions) {
            session.close();
        }
    }

    private void answer(DataInputStream in, OutputStream out) throws IOException {
        byte[] header = in.readNBytes(PacketHeader.LENGTH);
        if (header.length < PacketHeader.LENGTH) {
            throw new EOFException();
        }
        ByteBuf head = Unpooled.wrappedBuffer(header);
        byte[] body = in.readNBytes(PacketHeader.length(head) - PacketHeader.LENGTH);
        boolean reset = (PacketHeader.status(head) & PacketHeader.STATUS_RESETCONNECTION) != 0;
        switch (PacketHeader.type(head)) {
            case PacketType.PRELOGIN -> out.write(PRELOGIN);
            case PacketType.LOGIN7 -> out.write(LOGIN);
            default -> answerRows(out, reset, asksForEverything(body) ? bytes : 0);
        }
    }

    private static boolean asksForEverything(byte[] body) {
        return ByteBufUtil.indexOf(Unpooled.wrappedBuffer(EVERYTHING), Unpooled.wrappedBuffer(body)) >= 0;
    }

    private static ByteBuf metadata(boolean reset) {
        ByteBuf metadata = Unpooled.buffer();
        if (reset) {
            CannedAnswers.TOKENS.resetAcknowledged(metadata);
        }
        FORMAT.writeMetadata(metadata);
        return metadata;
    }

    private void answerRows(OutputStream out, boolean reset, long total) throws IOException {
        byte[] first = packet(metadata(reset), 0);
        out.write(first);
        ByteBuf rows = Unpooled.buffer();
        for (int i = 0; i < ROWS_PER_PACKET; i++) {
            FORMAT.writeRow(rows, new Object[] {i, TEXT});
        }
        ByteBuf packets = Unpooled.buffer();
        for (int i = 0; i < PACKETS_PER_WRITE; i++) {
            packets.writeBytes(packet(rows, 0));
        }
        byte[] bytesOfRows = ByteBufUtil.getBytes(packets);
        long size = 0;
        for (long left = total; left > 0; left -= bytesOfRows.length) {
            out.write(bytesOfRows);
            sent.addAndGet(bytesOfRows.length);
            size += bytesOfRows.length;
        }
        ByteBuf last = Unpooled.buffer();
        CannedAnswers.TOKENS.done(last, DoneStatus.FINAL, 0xC1, 0);
        byte[] done = packet(last, PacketHeader.STATUS_EOM);
        out.write(done);
        if (total > 0) {
            firstPacket = first.length;
            answered.set(size + done.length);
        }
    }

    private static byte[] packet(ByteBuf body, int status) {
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(PacketType.TABULAR_RESULT).writeByte(status);
        packet.writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body.duplicate());
        return ByteBufUtil.getBytes(packet);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}

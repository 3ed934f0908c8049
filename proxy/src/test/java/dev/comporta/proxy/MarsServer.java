package dev.comporta.proxy;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that grants MARS, or not, and lets everybody in, or says what it is told to. After the login it does not read frames: it sends back every
 * byte, so that a test sees whether any was changed, kept or added on the way.
 */
final class MarsServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final boolean grants;
    private final List<ByteBuf> loginAnswer;
    final AtomicInteger askedForMars = new AtomicInteger();
    final AtomicInteger sessions = new AtomicInteger();

    MarsServer(boolean grants) throws IOException {
        this(grants, List.of(letIn()));
    }

    /** @param loginAnswer its packets, without their headers */
    MarsServer(boolean grants, List<ByteBuf> loginAnswer) throws IOException {
        this.grants = grants;
        this.loginAnswer = loginAnswer;
        Thread.ofVirtual().start(this::accept);
    }

    private static ByteBuf letIn() {
        ByteBuf login = Unpooled.buffer();
        TokenWriter tokens = new TokenWriter(TdsVersion.V7_4);
        tokens.loginAck(login, "Microsoft SQL Server", 16, 0, 1000);
        tokens.done(login, DoneStatus.FINAL, 0, 0);
        return login;
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        try {
            while (!socket.isClosed()) {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException _) {
            // closed: that is its end
        }
    }

    private void serve(Socket client) {
        sessions.incrementAndGet();
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            if (Prelogin.read(message(in)).mars()) {
                askedForMars.incrementAndGet();
            }
            ByteBuf prelogin = Unpooled.buffer();
            Prelogin.builder(new Prelogin.Version(16, 0, 1000, 0))
                    .encryption(Encryption.NOT_SUPPORTED)
                    .mars(grants)
                    .build()
                    .write(prelogin);
            packet(out, PacketHeader.STATUS_EOM, prelogin);
            message(in);
            for (ByteBuf body : loginAnswer) {
                packet(out, body == loginAnswer.getLast() ? PacketHeader.STATUS_EOM : 0, body.duplicate());
            }
            in.transferTo(out);
        } catch (IOException _) {
            // the other side is gone
        } finally {
            sessions.decrementAndGet();
        }
    }

    private static ByteBuf message(DataInputStream in) throws IOException {
        ByteBuf body = Unpooled.buffer();
        ByteBuf header;
        do {
            header = Unpooled.wrappedBuffer(in.readNBytes(PacketHeader.LENGTH));
            if (!header.isReadable(PacketHeader.LENGTH)) {
                throw new IOException("the end");
            }
            body.writeBytes(in.readNBytes(PacketHeader.length(header) - PacketHeader.LENGTH));
        } while (!PacketHeader.isEndOfMessage(header));
        return body;
    }

    private static void packet(OutputStream out, int status, ByteBuf body) throws IOException {
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(PacketType.TABULAR_RESULT).writeByte(status);
        packet.writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body);
        out.write(ByteBufUtil.getBytes(packet));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

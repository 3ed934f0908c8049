package dev.comporta.standin.wire;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SqlBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;

/** A client that says exactly what it is told to, and shows exactly what it hears. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;
    /** Small, so that a client that does not read is soon felt. */
    private static final int RECEIVE_BUFFER_BYTES = 32 * 1024;

    final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final TdsVersion version;
    private final RequestFormat format;
    /** Of the last packet that was received. */
    int spid;

    int packets;

    RawClient(int port) throws IOException {
        this(port, TdsVersion.V7_4);
    }

    RawClient(int port, TdsVersion version) throws IOException {
        this.version = version;
        format = RequestFormat.of(version);
        socket = new Socket();
        socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    static RawClient loggedIn(int port) throws IOException {
        RawClient client = new RawClient(port);
        client.login("sa");
        return client;
    }

    /** By which the server knows it. */
    int localPort() {
        return socket.getLocalPort();
    }

    Prelogin prelogin() throws IOException {
        ByteBuf body = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(Encryption.NOT_SUPPORTED)
                .build()
                .write(body);
        send(PacketType.PRELOGIN, 0, body);
        ByteBuf message = Unpooled.buffer();
        while (!addPacket(message)) {}
        return Prelogin.read(message);
    }

    List<String> login(String user) throws IOException {
        return login(new Login7Builder()
                .tdsVersion(version.wireValue())
                .userName(user)
                .password(Secret.ofText("secret"))
                .database("AppDB")
                .build());
    }

    List<String> login(Login7 login) throws IOException {
        ByteBuf body = Unpooled.buffer();
        login.write(body);
        send(PacketType.LOGIN7, 0, body);
        return response();
    }

    List<String> batch(String sql) throws IOException {
        return batch(sql, AllHeaders.AUTOCOMMIT, 0);
    }

    List<String> batch(String sql, AllHeaders headers, int status) throws IOException {
        sendBatch(sql, headers, status);
        return response();
    }

    void sendBatch(String sql, AllHeaders headers, int status) {
        ByteBuf body = Unpooled.buffer();
        new SqlBatch(headers, sql).write(body, format);
        send(PacketType.SQL_BATCH, status, body);
    }

    List<String> call(RpcCall... calls) throws IOException {
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, calls).write(body, format);
        send(PacketType.RPC, 0, body);
        return response();
    }

    void sendAttention() {
        send(PacketType.ATTENTION, 0, Unpooled.EMPTY_BUFFER);
    }

    void send(int type, int status, ByteBuf body) {
        writer().begin(type, status).writeBytes(body).end();
    }

    MessageWriter writer() {
        return new MessageWriter(UnpooledByteBufAllocator.DEFAULT, (packets, _) -> {
            raw(ByteBufUtil.getBytes(packets));
            packets.release();
        });
    }

    void raw(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tokens of the next message, or of what is left of it. */
    List<String> response() throws IOException {
        ByteBuf message = Unpooled.buffer();
        while (!addPacket(message)) {}
        return Tokens.of(message, version);
    }

    /** The tokens of the next packet, which does not end its message. */
    List<String> partOfResponse() throws IOException {
        ByteBuf part = Unpooled.buffer();
        if (addPacket(part)) {
            throw new IllegalStateException("the response ended with " + Tokens.of(part, version));
        }
        return Tokens.of(part, version);
    }

    private boolean addPacket(ByteBuf message) throws IOException {
        ByteBuf header = Unpooled.wrappedBuffer(in.readNBytes(PacketHeader.LENGTH));
        if (header.readableBytes() < PacketHeader.LENGTH) {
            throw new EOFException("closed by the server");
        }
        packets++;
        spid = PacketHeader.spid(header);
        message.writeBytes(in.readNBytes(PacketHeader.length(header) - PacketHeader.LENGTH));
        return PacketHeader.isEndOfMessage(header);
    }

    /** Reads what is left until the server closes; whether it does is what is asked. */
    boolean isClosedByServer() throws IOException {
        try {
            in.readAllBytes();
            return true;
        } catch (SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

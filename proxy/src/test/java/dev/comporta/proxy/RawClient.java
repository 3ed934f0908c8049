package dev.comporta.proxy;

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
import dev.comporta.tds.request.SqlBatch;
import dev.comporta.tls.TlsContexts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A client that says exactly what it is told to, packet by packet, as no driver would. */
final class RawClient implements AutoCloseable {
    private static final int LARGER_THAN_WHAT_IS_HELD = 80 * 1024;

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int DONE_TOKEN = 0xFD;
    private static final int DONE_LENGTH = 13;
    private static final int ERROR_TOKEN = 0xAA;

    /** Not what the system grows it to, so that a client that does not read is soon felt. */
    private static final int RECEIVE_BUFFER_BYTES = 256 * 1024;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    RawClient(int port) throws IOException {
        this(connect(port));
    }

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), RECEIVE_BUFFER_BYTES));
        out = socket.getOutputStream();
    }

    /** One that dials from another address of this machine than the others. */
    static RawClient from(InetAddress local, int port) throws IOException {
        return new RawClient(connect(local, port));
    }

    private static Socket connect(int port) throws IOException {
        return connect(InetAddress.getLoopbackAddress(), port);
    }

    private static Socket connect(InetAddress local, int port) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(local, 0));
        socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    static RawClient loggedIn(int port) throws IOException {
        return new RawClient(port).logIn();
    }

    /** One that speaks TLS from its first byte on, and believes any certificate. */
    static RawClient loggedInByTls(int port) throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(connect(port), "localhost", port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {TlsContexts.ALPN});
        socket.setSSLParameters(parameters);
        RawClient client = new RawClient(socket);
        client.prelogin(false);
        return client.logIn();
    }

    /** One whose login says that Windows knows it, so that nobody shares a connection with it. */
    static RawClient loggedInByWindows(int port) throws IOException {
        RawClient client = new RawClient(port);
        client.sendLogin(
                login -> login.optionFlags2(Login7.FLAG2_INTEGRATED_SECURITY).sspi(Secret.ofText("it is me")));
        client.response();
        return client;
    }

    private RawClient logIn() throws IOException {
        sendLogin();
        response();
        return this;
    }

    void sendLogin() {
        sendLogin(login -> login.userName(ProxyFixture.USER).password(Secret.ofText(ProxyFixture.PASSWORD)));
    }

    /** Asks for this version, with its right name and password or with a wrong one. */
    void sendLogin(TdsVersion version, String password) {
        sendLogin(login -> login.tdsVersion(version.wireValue())
                .userName(ProxyFixture.USER)
                .password(Secret.ofText(password)));
    }

    void sendLogin(UnaryOperator<Login7Builder> who) {
        ByteBuf body = Unpooled.buffer();
        who.apply(new Login7Builder().tdsVersion(TdsVersion.V7_4.wireValue()).database("AppDB"))
                .build()
                .write(body);
        writer().begin(PacketType.LOGIN7).writeBytes(body).end();
    }

    /** Says PRELOGIN, without encryption, and hears what the proxy makes of it. */
    Prelogin prelogin(boolean mars) throws IOException {
        ByteBuf body = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(Encryption.NOT_SUPPORTED)
                .mars(mars)
                .build()
                .write(body);
        packet(PacketType.PRELOGIN, PacketHeader.STATUS_EOM, body);
        return Prelogin.read(response());
    }

    static ByteBuf batch(String sql) {
        return batch(sql, TdsVersion.V7_4);
    }

    static ByteBuf batch(String sql, TdsVersion version) {
        ByteBuf body = Unpooled.buffer();
        new SqlBatch(AllHeaders.AUTOCOMMIT, sql).write(body, RequestFormat.of(version));
        return body;
    }

    void sendBatch(String sql) {
        packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, batch(sql));
    }

    /** Sends the greater part of a batch, more of it than the proxy holds, and not its end. */
    void sendUnfinished(String sql) {
        ByteBuf body = batch(sql + " ".repeat(LARGER_THAN_WHAT_IS_HELD / Character.BYTES));
        while (body.isReadable()) {
            packet(
                    PacketType.SQL_BATCH,
                    0,
                    body.readSlice(
                            Math.min(body.readableBytes(), PacketHeader.DEFAULT_PACKET_SIZE - PacketHeader.LENGTH)));
        }
    }

    void sendAttention() {
        packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.EMPTY_BUFFER);
    }

    /** One packet, whatever it says. */
    void packet(int type, int status, ByteBuf body) {
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(type).writeByte(status).writeShort(PacketHeader.LENGTH + body.readableBytes());
        packet.writeInt(0).writeBytes(body);
        raw(ByteBufUtil.getBytes(packet));
    }

    private MessageWriter writer() {
        return new MessageWriter(UnpooledByteBufAllocator.DEFAULT, (packets, _) -> {
            raw(ByteBufUtil.getBytes(packets));
            packets.release();
        });
    }

    /** Bytes that are no packet. */
    void raw(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] read(int bytes) throws IOException {
        return in.readNBytes(bytes);
    }

    /** The next message, without its packets' headers. */
    ByteBuf response() throws IOException {
        ByteBuf message = Unpooled.buffer();
        boolean last;
        do {
            ByteBuf header = Unpooled.wrappedBuffer(in.readNBytes(PacketHeader.LENGTH));
            if (header.readableBytes() < PacketHeader.LENGTH) {
                throw new EOFException("closed by the proxy");
            }
            last = PacketHeader.isEndOfMessage(header);
            message.writeBytes(in.readNBytes(PacketHeader.length(header) - PacketHeader.LENGTH));
        } while (!last);
        return message;
    }

    /**
     * Reads packets of the next message, without keeping any of it.
     *
     * @param atMost after how many bytes to stop
     * @return how many were read: fewer when the message ended
     */
    long skip(long atMost) throws IOException {
        byte[] header = new byte[PacketHeader.LENGTH];
        ByteBuf head = Unpooled.wrappedBuffer(header);
        long read = 0;
        boolean last = false;
        while (!last && read < atMost) {
            in.readFully(header);
            in.skipNBytes(PacketHeader.length(head) - PacketHeader.LENGTH);
            read += PacketHeader.length(head);
            last = PacketHeader.isEndOfMessage(head);
        }
        return read;
    }

    /** The status of the DONE that ends the next message. */
    int doneStatus() throws IOException {
        ByteBuf message = response();
        int done = message.writerIndex() - DONE_LENGTH;
        if (message.getUnsignedByte(done) != DONE_TOKEN) {
            throw new IOException("no DONE at the end of " + ByteBufUtil.hexDump(message));
        }
        return message.getUnsignedShortLE(done + 1);
    }

    /** The number of the error that the next message begins with. */
    int errorNumber() throws IOException {
        ByteBuf message = response();
        if (message.getUnsignedByte(0) != ERROR_TOKEN) {
            throw new IOException("no error in " + ByteBufUtil.hexDump(message));
        }
        return message.getIntLE(3);
    }

    /** Says that it will say nothing more, and still listens. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads what is left, to the end; a proxy that does not hang up makes it time out. */
    boolean isHungUpOn() throws IOException {
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

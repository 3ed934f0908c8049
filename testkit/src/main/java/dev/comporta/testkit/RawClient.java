package dev.comporta.testkit;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.FeatureExtension;
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
import dev.comporta.tds.token.TokenType;
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
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A TDS client that sends exactly what it is told to, packet by packet, as no driver would. One thread uses it. */
public final class RawClient implements AutoCloseable {
    public static final String USER = "sa";
    public static final String PASSWORD = "Secret-1";
    private static final String DATABASE = "AppDB";

    /** More of a request than the proxy holds back before it has a server connection. */
    private static final int MORE_THAN_IS_HELD = 80 * 1024;

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int DONE_LENGTH = 13;

    /** Fixed, because the system would grow it: a client that does not read must soon stop its server's writes. */
    private static final int RECEIVE_BUFFER_BYTES = 256 * 1024;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final TdsVersion version;
    /** Whether it has negotiated column encryption with enclaves. */
    private boolean enclaves;

    private int spid;

    public RawClient(int port) throws IOException {
        this(port, TdsVersion.V7_4);
    }

    /** @param version the version of its login, requests and responses */
    public RawClient(int port, TdsVersion version) throws IOException {
        this(connect(InetAddress.getLoopbackAddress(), port), version);
    }

    private RawClient(Socket socket, TdsVersion version) throws IOException {
        this.socket = socket;
        this.version = version;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), RECEIVE_BUFFER_BYTES));
        out = socket.getOutputStream();
    }

    /** Connects from another address of this machine than the others. */
    public static RawClient from(InetAddress local, int port) throws IOException {
        return new RawClient(connect(local, port), TdsVersion.V7_4);
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

    public static RawClient loggedIn(int port) throws IOException {
        return new RawClient(port).logIn();
    }

    /** A strict client: speaks TLS from its first byte on, and trusts any certificate. */
    public static RawClient loggedInByTls(int port) throws IOException, GeneralSecurityException {
        return loggedInByTls(InetAddress.getLoopbackAddress(), port, new byte[0]);
    }

    /** The same from another address, with these bytes before TLS. */
    public static RawClient loggedInByTls(InetAddress local, int port, byte[] before)
            throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        Socket plain = connect(local, port);
        plain.getOutputStream().write(before);
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {TlsContexts.ALPN});
        socket.setSSLParameters(parameters);
        RawClient client = new RawClient(socket, TdsVersion.V7_4);
        client.prelogin(false);
        return client.logIn();
    }

    /** Logs in by Windows authentication, so that it shares its server connection with nobody. */
    public static RawClient loggedInByWindows(int port) throws IOException {
        RawClient client = new RawClient(port);
        client.sendLogin(
                login -> login.optionFlags2(Login7.FLAG2_INTEGRATED_SECURITY).sspi(Secret.ofText("it is me")));
        client.response();
        return client;
    }

    /** Logs in as SqlClient does: it always asks for the newest column encryption, of a server with enclaves too. */
    public static RawClient loggedInForEnclaves(int port) throws IOException {
        RawClient client = new RawClient(port);
        FeatureExtension encryption = new FeatureExtension(FeatureExtension.COLUMNENCRYPTION, new byte[] {3});
        client.answerToLogin(
                login -> login.userName(USER).password(Secret.ofText(PASSWORD)).features(List.of(encryption)));
        client.enclaves = true;
        return client;
    }

    private RequestFormat format() {
        return new RequestFormat(version, enclaves);
    }

    private RawClient logIn() throws IOException {
        sendLogin();
        response();
        return this;
    }

    public void sendLogin() {
        sendLogin(version, PASSWORD);
    }

    /** Asks for this version, with the right password or a wrong one. */
    public void sendLogin(TdsVersion asked, String password) {
        sendLogin(login -> login.tdsVersion(asked.wireValue()).userName(USER).password(Secret.ofText(password)));
    }

    public void sendLogin(UnaryOperator<Login7Builder> who) {
        send(PacketType.LOGIN7, 0, login(who));
    }

    /** The body of LOGIN7. */
    public static ByteBuf login(UnaryOperator<Login7Builder> who) {
        ByteBuf body = Unpooled.buffer();
        who.apply(new Login7Builder().tdsVersion(TdsVersion.V7_4.wireValue()).database(DATABASE))
                .build()
                .write(body);
        return body;
    }

    /** Sends PRELOGIN, without encryption, and reads the answer to it. */
    public Prelogin prelogin(boolean mars) throws IOException {
        ByteBuf body = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(Encryption.NOT_SUPPORTED)
                .mars(mars)
                .build()
                .write(body);
        packet(PacketType.PRELOGIN, PacketHeader.STATUS_EOM, body);
        return Prelogin.read(response());
    }

    /** The body of a batch. */
    public static ByteBuf batch(String sql) {
        return batch(sql, TdsVersion.V7_4);
    }

    public static ByteBuf batch(String sql, TdsVersion version) {
        return batch(sql, AllHeaders.AUTOCOMMIT, RequestFormat.of(version));
    }

    private static ByteBuf batch(String sql, AllHeaders headers, RequestFormat format) {
        ByteBuf body = Unpooled.buffer();
        new SqlBatch(headers, sql).write(body, format);
        return body;
    }

    public void sendBatch(String sql) {
        sendBatch(sql, AllHeaders.AUTOCOMMIT, 0);
    }

    /** @param status bits of the first packet, such as a reset */
    public void sendBatch(String sql, AllHeaders headers, int status) {
        send(PacketType.SQL_BATCH, status, batch(sql, headers, format()));
    }

    /** Sends a batch without its end: more bytes of it than the proxy holds back. */
    public void sendUnfinished(String sql) {
        ByteBuf body = batch(sql + " ".repeat(MORE_THAN_IS_HELD / Character.BYTES));
        int most = PacketHeader.DEFAULT_PACKET_SIZE - PacketHeader.LENGTH;
        while (body.isReadable()) {
            packet(PacketType.SQL_BATCH, 0, body.readSlice(Math.min(body.readableBytes(), most)));
        }
    }

    public void sendAttention() {
        packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.EMPTY_BUFFER);
    }

    /** Sends one message, in as many packets as it takes. */
    public void send(int type, int status, ByteBuf body) {
        writer().begin(type, status).writeBytes(body).end();
    }

    public MessageWriter writer() {
        return new MessageWriter(UnpooledByteBufAllocator.DEFAULT, (packets, _) -> {
            try {
                raw(ByteBufUtil.getBytes(packets));
            } finally {
                packets.release();
            }
        });
    }

    /** Sends one packet, valid or not. */
    public void packet(int type, int status, ByteBuf body) {
        raw(packet(type, status, PacketHeader.LENGTH + body.readableBytes(), body));
    }

    /** The bytes of a packet that claims to be of this length. */
    public static byte[] packet(int type, int status, int claimedLength, ByteBuf body) {
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(type).writeByte(status).writeShort(claimedLength);
        packet.writeInt(0).writeBytes(body);
        return ByteBufUtil.getBytes(packet);
    }

    /** Sends these bytes, TDS or not. */
    public void raw(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tokens of the response to a batch. */
    public List<String> answerTo(String sql) throws IOException {
        return answerTo(sql, AllHeaders.AUTOCOMMIT, 0);
    }

    public List<String> answerTo(String sql, AllHeaders headers, int status) throws IOException {
        sendBatch(sql, headers, status);
        return tokens();
    }

    /** The tokens of the response to procedure calls in one message. */
    public List<String> answerTo(RpcCall... calls) throws IOException {
        return answerTo(AllHeaders.AUTOCOMMIT, calls);
    }

    public List<String> answerTo(AllHeaders headers, RpcCall... calls) throws IOException {
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(headers, calls).write(body, format());
        send(PacketType.RPC, 0, body);
        return tokens();
    }

    /** The tokens of the response to a login of this user. */
    public List<String> answerToLogin(String user) throws IOException {
        return answerToLogin(login -> login.userName(user).password(Secret.ofText(PASSWORD)));
    }

    public List<String> answerToLogin(UnaryOperator<Login7Builder> who) throws IOException {
        sendLogin(login -> who.apply(login.tdsVersion(version.wireValue())));
        return tokens();
    }

    /** The tokens of the next message, or of what is left of it. */
    public List<String> tokens() throws IOException {
        return Tokens.of(response(), version, enclaves);
    }

    /** The tokens of the next packet, which does not end its message. */
    public List<String> tokensOfPart() throws IOException {
        ByteBuf part = Unpooled.buffer();
        if (addPacket(part)) {
            throw new IllegalStateException("the response ended with " + Tokens.of(part, version));
        }
        return Tokens.of(part, version);
    }

    /** The next message, or what is left of it, without its packets' headers. */
    public ByteBuf response() throws IOException {
        ByteBuf message = Unpooled.buffer();
        boolean last;
        do {
            last = addPacket(message);
        } while (!last);
        return message;
    }

    /** Returns whether it was the last packet of its message. */
    private boolean addPacket(ByteBuf message) throws IOException {
        ByteBuf header = Unpooled.wrappedBuffer(in.readNBytes(PacketHeader.LENGTH));
        if (header.readableBytes() < PacketHeader.LENGTH) {
            throw new EOFException("the other side closed the connection");
        }
        spid = PacketHeader.spid(header);
        message.writeBytes(in.readNBytes(PacketHeader.length(header) - PacketHeader.LENGTH));
        return PacketHeader.isEndOfMessage(header);
    }

    /** Waits until a byte can be read, and leaves it unread. */
    public void awaitBytes() throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            throw new EOFException("the other side closed the connection");
        }
        in.reset();
    }

    public byte[] read(int bytes) throws IOException {
        return in.readNBytes(bytes);
    }

    public byte[] readToEnd() throws IOException {
        return in.readAllBytes();
    }

    /**
     * Reads packets of the next message, without keeping any of it.
     *
     * @param atMost after how many bytes to stop
     * @return how many were read: fewer when the message ended
     */
    public long skip(long atMost) throws IOException {
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
    public int doneStatus() throws IOException {
        ByteBuf message = response();
        int done = message.writerIndex() - DONE_LENGTH;
        if (message.getUnsignedByte(done) != TokenType.DONE) {
            throw new IOException("no DONE at the end of " + ByteBufUtil.hexDump(message));
        }
        return message.getUnsignedShortLE(done + 1);
    }

    /** The number of the error that the next message begins with. */
    public int errorNumber() throws IOException {
        ByteBuf message = response();
        if (message.getUnsignedByte(0) != TokenType.ERROR) {
            throw new IOException("no error in " + ByteBufUtil.hexDump(message));
        }
        return message.getIntLE(3);
    }

    /** The SPID in the header of the last packet that was received. */
    public int spid() {
        return spid;
    }

    /** The local port, which the other side sees as the client's. */
    public int localPort() {
        return socket.getLocalPort();
    }

    /** Sets the timeout of reads. */
    public void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Shuts down the output; what comes can still be read. */
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads to the end, and times out when the other side does not close. */
    public boolean isHungUpOn() throws IOException {
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

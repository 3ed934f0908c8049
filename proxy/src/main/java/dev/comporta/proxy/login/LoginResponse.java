package dev.comporta.proxy.login;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.WireFormat;
import dev.comporta.tds.token.walk.TokenWalker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A server's whole response to LOGIN7, to be sent to each client of the pool in place of one to its own login. Immutable. */
public final class LoginResponse {
    private static final int LOGIN_FAILED = 18456;
    /** From this version of column encryption on, each batch and call carries a package for the enclave. */
    private static final int WITH_ENCLAVES = 2;

    private final byte[] tokens;
    private final WireFormat format;
    /** Not changed after construction. */
    private final Reading read;

    private final String terms;

    private LoginResponse(byte[] tokens, Reading read, WireFormat format) {
        this.tokens = tokens;
        this.format = format;
        this.read = read;
        terms = read.terms(format);
    }

    /** Borrows the body of the whole message. */
    public static LoginResponse read(ByteBuf body, TdsVersion asked) {
        Reading reading = new Reading();
        TokenWalker walker = new TokenWalker(asked, reading);
        walker.walk(body, body.readerIndex(), body.writerIndex(), true);
        return new LoginResponse(forClients(body, reading), reading, walker.format());
    }

    /** Without the name of a mirroring partner: drivers keep it, and go past the proxy when that takes long to answer. */
    private static byte[] forClients(ByteBuf body, Reading reading) {
        byte[] tokens = ByteBufUtil.getBytes(body);
        if (reading.partnerBytes == 0) {
            return tokens;
        }
        int after = reading.partnerAt + reading.partnerBytes;
        byte[] kept = Arrays.copyOf(tokens, tokens.length - reading.partnerBytes);
        System.arraycopy(tokens, after, kept, reading.partnerAt, tokens.length - after);
        return kept;
    }

    public boolean isAcknowledged() {
        return read.acknowledged;
    }

    /** The format of the tokens in responses on this connection. */
    public WireFormat format() {
        return format;
    }

    /** The format of requests on this connection. */
    public RequestFormat requestFormat() {
        return new RequestFormat(format.version(), read.enclavePackages);
    }

    /** The packet size for both directions from the first request on. */
    public int packetSize() {
        return read.packetSize;
    }

    /** The last error of a rejected login, with its number. */
    public String error() {
        return read.error;
    }

    /** Whether the server rejects the user or the password, not another part of the login such as its database. */
    public boolean isOfCredentials() {
        return read.firstError == LOGIN_FAILED;
    }

    /** Whether a rejected login may be accepted later, or by another server. */
    public Readiness readiness() {
        return read.readiness;
    }

    /** The database that the login ended up in; empty if the server has not reported it. */
    public String database() {
        return read.database;
    }

    /** The server that clients are routed to instead. Never sent to clients, or they would bypass the proxy. */
    public @Nullable String routedTo() {
        return read.routedTo;
    }

    /** The server's name in its messages; empty if it has sent none. */
    public String serverName() {
        return read.serverName;
    }

    /**
     * Everything that the response tells a client about the session and the format of later responses, as one text. A client is
     * attached only to connections whose logins were answered in the same terms: others may differ in format or database.
     */
    public String terms() {
        return terms;
    }

    /** Sends the server's response to a client. */
    public void replay(MessageWriter writer) {
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(tokens).end();
    }

    /** Where a server routes its clients to, for messages to people. */
    public static String route(String server, int port, String database) {
        return server + ":" + port + (database.isEmpty() ? "" : ", database " + database);
    }

    private static final class Reading implements TokenSink {
        private boolean acknowledged;
        /** The token with the name of a mirroring partner; servers send one at most. */
        private int partnerAt;

        private int partnerBytes;
        private boolean enclavePackages;
        private int packetSize = PacketHeader.DEFAULT_PACKET_SIZE;
        private int errorNumber;
        private int firstError;
        private String error = "";
        private Readiness readiness = Readiness.READY;
        private String database = "";
        private @Nullable String routedTo;
        private String serverName = "";
        private String language = "";
        private String collation = "";
        private final StringBuilder features = new StringBuilder();

        /** Interned, so that comparing equal terms costs nothing. */
        private String terms(WireFormat format) {
            return "%s, packets of %d, database %s, language %s, collation %s, features%s"
                    .formatted(format, packetSize, database, language, collation, features)
                    .intern();
        }

        @Override
        public void languageChanged(String to, String from) {
            language = to;
        }

        @Override
        public void collationChanged(int info, int sortId) {
            collation = "%08x.%02x".formatted(info, sortId);
        }

        @Override
        public void featureAcknowledged(int feature, ByteBuf data) {
            if (feature == FeatureExtension.COLUMNENCRYPTION) {
                enclavePackages = data.isReadable() && data.getUnsignedByte(data.readerIndex()) >= WITH_ENCLAVES;
            }
            switch (feature) {
                // These concern other connections, or the user.
                case FeatureExtension.AZURESQLDNSCACHING,
                        FeatureExtension.ENHANCEDROUTINGSUPPORT,
                        FeatureExtension.USERAGENT -> {}
                default ->
                    features.append(' ')
                            .append(FeatureExtension.name(feature))
                            .append('=')
                            .append(ByteBufUtil.hexDump(data));
            }
        }

        @Override
        public void loginAcknowledged(TdsVersion version, String program, int programVersion) {
            acknowledged = true;
        }

        @Override
        public void databaseChanged(String to, String from) {
            database = to;
        }

        @Override
        public void routed(String server, int port, String database) {
            routedTo = route(server, port, database);
        }

        @Override
        public void mirrored(long position, int bytes) {
            partnerAt = (int) position;
            partnerBytes = bytes;
        }

        @Override
        public void packetSizeChanged(int bytes) {
            packetSize = bytes;
        }

        @Override
        public boolean error(int number, int state, int severity) {
            errorNumber = number;
            // For a database that can't be opened, the server sends that error first, and then 18456.
            firstError = firstError == 0 ? number : firstError;
            readiness = readiness.and(Readiness.toldBy(number));
            return true;
        }

        @Override
        public boolean info(int number, int state, int severity) {
            return true;
        }

        @Override
        public void messageText(String text, String server, String procedure, int line) {
            serverName = server;
            if (errorNumber != 0) {
                error = errorNumber + " " + text;
                errorNumber = 0;
            }
        }

        @Override
        public void negotiationContinues() {
            throw new ProtocolException("the server asks for further messages, as of a Windows or Entra login");
        }
    }
}

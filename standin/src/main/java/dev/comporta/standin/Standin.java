package dev.comporta.standin;

import dev.comporta.standin.control.Counters;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.control.SessionRecord;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.standin.engine.session.Engine;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.session.JavaProcedure;
import dev.comporta.standin.wire.WireServer;
import dev.comporta.standin.wire.WireSettings;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption.Policy;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An embedded server that behaves like SQL Server on the wire, for tests and demonstrations. Drivers connect to it as
 * to the real one; it executes their requests on an in-memory database. Many may run in one JVM, each on its own port and
 * independent of the others.
 *
 * <pre>{@code
 * try (Standin standin = Standin.builder().database("AppDB").login("sa", "secret").start()) {
 *     DriverManager.getConnection("jdbc:sqlserver://localhost:" + standin.port() + ";…");
 * }
 * }</pre>
 *
 * <p>Thread-safe. {@link #misbehave} and {@link #close} wait for the network.
 */
public final class Standin implements AutoCloseable {
    /** The encryption that a stand-in requires of its clients. */
    public enum Encryption {
        /** It has no certificate: everything is plain text. */
        NOT_SUPPORTED,
        /** The client decides: LOGIN7 alone, everything, or strict. SQL Server's default. */
        OPTIONAL,
        /** Everything is encrypted, whatever the client asks for. */
        REQUIRED,
        /** TLS from the first byte, or no connection. */
        STRICT
    }

    /** Created once per JVM, on first use: generating a key takes longer than the rest of a start. */
    private static final class Shared {
        static final SelfSignedCertificate CERTIFICATE;
        static final TlsContexts TLS;

        static {
            try {
                CERTIFICATE = SelfSignedCertificate.generate(
                        "SSL_Self_Signed_Fallback", List.of("localhost", "127.0.0.1", "::1"));
                TLS = TlsContexts.server(CERTIFICATE.key(), CERTIFICATE.certificate());
            } catch (GeneralSecurityException | IOException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    private final Engine engine;
    private final WireServer wire;

    private Standin(Engine engine, WireServer wire) {
        this.engine = engine;
        this.wire = wire;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The certificate of every stand-in in this JVM, for the trust store of clients. */
    public static String certificatePem() {
        return Shared.CERTIFICATE.pem();
    }

    public int port() {
        return wire.address().getPort();
    }

    public InetSocketAddress address() {
        return wire.address();
    }

    public Counters counters() {
        return wire.counters(engine.handles());
    }

    /** {@link Counters#mostSessions} counts from here, beginning with the open sessions. */
    public void forgetMostSessions() {
        wire.forgetMostSessions();
    }

    /** The open sessions. */
    public List<SessionRecord> sessions() {
        return wire.sessions();
    }

    /** Misbehaves from now on; {@link Misbehaviour#NONE} ends it. */
    public void misbehave(Misbehaviour misbehaviour) throws IOException {
        wire.misbehave(misbehaviour);
    }

    /** Cuts a session's connection; returns false if there is no such session. */
    public boolean kill(int spid) {
        return wire.kill(spid);
    }

    /** The engine behind the wire, for tests that look at sessions, handles or locks from inside. */
    public Engine engine() {
        return engine;
    }

    /** Closes the listener and every connection. */
    @Override
    public void close() {
        wire.close();
        engine.close();
    }

    /** The settings of a stand-in. */
    public static final class Builder {
        private String host = "127.0.0.1";
        private int port;
        private String serverName = "STANDIN";
        private final List<String> databases = new ArrayList<>();
        private final Map<String, String> logins = new LinkedHashMap<>();
        private final Map<String, String> windowsLogins = new LinkedHashMap<>();
        private final Map<String, String> accessTokens = new LinkedHashMap<>();
        private final Map<String, JavaProcedure> procedures = new LinkedHashMap<>();
        private Encryption encryption = Encryption.OPTIONAL;
        private Duration loginTimeout = Duration.ofSeconds(15);
        private int maxMessageBytes = 64 << 20;
        private Misbehaviour misbehaviour = Misbehaviour.NONE;
        private TdsVersion newestVersion = TdsVersion.V8_0;
        private int columnEncryption;
        private ServerHabits habits = ServerHabits.SQL_SERVER;
        private @Nullable String sampleDatabase;

        private Builder() {}

        /** The address to listen on: the loopback address by default. */
        public Builder address(String host) {
            this.host = host;
            return this;
        }

        /** 0, the default, takes a free port, which {@link Standin#port} returns. */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /** The name in @@SERVERNAME and error messages. */
        public Builder serverName(String name) {
            serverName = name;
            return this;
        }

        /** Adds an empty database. The first one is the default database of logins. */
        public Builder database(String name) {
            databases.add(name);
            return this;
        }

        /** Adds a database with {@link SampleDatabase}'s customers and orders. */
        public Builder sampleDatabase(String name) {
            sampleDatabase = name;
            return database(name);
        }

        public Builder login(String user, String password) {
            logins.put(user, password);
            return this;
        }

        /** A Windows login, {@code DOMAIN\\user}, authenticated by NTLM (version 2). */
        public Builder windowsLogin(String account, String password) {
            windowsLogins.put(account, password);
            return this;
        }

        /**
         * An Entra login: a client that sends this token is this user. PRELOGIN then announces that federated authentication is
         * required.
         */
        public Builder accessToken(String token, String user) {
            accessTokens.put(token, user);
            return this;
        }

        /** A user procedure written in Java, in every database. */
        public Builder procedure(String name, JavaProcedure procedure) {
            procedures.put(name, procedure);
            return this;
        }

        public Builder encryption(Encryption encryption) {
            this.encryption = encryption;
            return this;
        }

        /** The time from accepting a connection to the end of its login. */
        public Builder loginTimeout(Duration timeout) {
            loginTimeout = timeout;
            return this;
        }

        /** The longest request, which is held in memory as a whole; a longer one closes its connection. */
        public Builder maxMessageBytes(int bytes) {
            maxMessageBytes = bytes;
            return this;
        }

        public Builder misbehaviour(Misbehaviour misbehaviour) {
            this.misbehaviour = misbehaviour;
            return this;
        }

        /** The server that it imitates: SQL Server by default. */
        public Builder habits(ServerHabits habits) {
            this.habits = habits;
            return this;
        }

        /** The version that clients get that ask for a newer one, as from a server of that age. */
        public Builder newestVersion(TdsVersion version) {
            newestVersion = version;
            return this;
        }

        /**
         * The newest version of column encryption that it acknowledges: 1, or 2 like a server with enclaves. Nothing is ever
         * encrypted, but requests and responses have that version's form.
         */
        public Builder columnEncryption(int version) {
            columnEncryption = version;
            return this;
        }

        /** @throws IOException if the port can't be bound */
        public Standin start() throws IOException {
            if (logins.isEmpty()) {
                throw new IllegalStateException("a stand-in needs a login");
            }
            Engine engine = new Engine(EngineSettings.named(serverName).withHabits(habits));
            databases.forEach(engine::createDatabase);
            String first = databases.isEmpty() ? "master" : databases.getFirst();
            logins.forEach((user, password) -> engine.createLogin(user, password, first));
            LoginDesk desk = new LoginDesk(engine, serverName);
            windowsLogins.forEach((account, password) -> {
                engine.createLogin(account, password, first);
                desk.addWindowsLogin(account, password);
            });
            accessTokens.forEach((token, user) -> {
                engine.createLogin(user, token, first);
                desk.addAccessToken(token, user);
            });
            procedures.forEach(engine::registerProcedure);
            if (sampleDatabase != null) {
                Map.Entry<String, String> login = logins.entrySet().iterator().next();
                SampleDatabase.load(engine, login.getKey(), login.getValue(), sampleDatabase);
            }
            InetSocketAddress address = new InetSocketAddress(host, port);
            WireServer wire = new WireServer(wireSettings(), desk, address);
            try {
                wire.start();
                wire.misbehave(misbehaviour);
            } catch (IOException e) {
                engine.close();
                throw e;
            }
            return new Standin(engine, wire);
        }

        private WireSettings wireSettings() {
            Policy policy = switch (encryption) {
                case NOT_SUPPORTED -> Policy.NOT_SUPPORTED;
                case OPTIONAL -> Policy.OPTIONAL;
                case REQUIRED, STRICT -> Policy.REQUIRED;
            };
            return new WireSettings(
                    serverName,
                    habits,
                    newestVersion,
                    policy,
                    encryption == Encryption.NOT_SUPPORTED ? null : Shared.TLS,
                    encryption == Encryption.STRICT,
                    !accessTokens.isEmpty(),
                    loginTimeout,
                    maxMessageBytes,
                    columnEncryption);
        }
    }
}

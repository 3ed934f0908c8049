package dev.comporta.standin.wire;

import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback over {@link ScriptedSession}s, for the login sa/secret. */
final class ScriptedServer implements AutoCloseable {
    private static final SelfSignedCertificate CERTIFICATE;
    private static final TlsContexts TLS;
    /** For drivers that, with strict encryption, trust nothing but a file. */
    private static final Path PEM;

    static {
        try {
            CERTIFICATE = SelfSignedCertificate.generate("standin", List.of("localhost", "127.0.0.1"));
            TLS = TlsContexts.server(CERTIFICATE.key(), CERTIFICATE.certificate());
            PEM = Files.createTempFile("standin", ".pem");
            PEM.toFile().deleteOnExit();
            Files.writeString(PEM, CERTIFICATE.pem());
        } catch (GeneralSecurityException | IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final List<ScriptedSession> sessions = new CopyOnWriteArrayList<>();
    final WireServer wire;

    ScriptedServer(Encryption.Policy policy) throws Exception {
        this(settings(policy, false));
    }

    ScriptedServer(WireSettings settings) throws Exception {
        wire = new WireServer(
                settings,
                (login, spid) -> {
                    if (!login.userName().equals("sa")) {
                        throw new Doorman.Refused(List.of(new Message(18456, 1, 14, "Login failed for user.", "", 1)));
                    }
                    ScriptedSession session = new ScriptedSession(spid, "AppDB");
                    sessions.add(session);
                    return session;
                },
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        wire.start();
    }

    static WireSettings settings(Encryption.Policy policy, boolean strictOnly) {
        return new WireSettings(
                "SCRIPTED",
                ServerHabits.SQL_SERVER,
                TdsVersion.V8_0,
                policy,
                policy == Encryption.Policy.NOT_SUPPORTED ? null : TLS,
                strictOnly,
                false,
                Duration.ofSeconds(10),
                1 << 20,
                0);
    }

    int port() {
        return wire.address().getPort();
    }

    String jdbcUrl(String options) {
        String trust = options.contains("strict") ? "serverCertificate=" + PEM : "trustServerCertificate=true";
        return "jdbc:sqlserver://127.0.0.1:" + port() + ";user=sa;password=secret;" + trust + ";" + options;
    }

    String jtdsUrl(String options) {
        return "jdbc:jtds:sqlserver://127.0.0.1:" + port() + "/AppDB;user=sa;password=secret;" + options;
    }

    @Override
    public void close() {
        wire.close();
    }
}

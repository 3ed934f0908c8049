package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.tds.login.Encryption.Policy;
import java.io.PrintWriter;
import java.io.Writer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Why jTDS is never offered login-only encryption. Both orders in which its end of TLS and the server's answer can fall
 * are forced here, so nothing depends on luck: jTDS says in JDBC's log that it is about to end TLS, and waits for the
 * log.
 */
class JtdsLoginOnlyTest {
    private static final String ENDS_TLS = "Disabling TLS encryption";

    /** What jTDS has logged. */
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Run by jTDS's thread when it has logged that it is about to end TLS. */
    private Runnable beforeTlsEnds = () -> {};

    private volatile @Nullable Thread driver;

    @BeforeEach
    void recordTheDriversLog() {
        DriverManager.setLogWriter(new PrintWriter(new Listener()));
    }

    @AfterEach
    void stopRecording() {
        DriverManager.setLogWriter(null);
    }

    @Test
    void serverThatLeavesEncryptionToTheClientEncryptsAllOfJtds() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Policy.OPTIONAL);
                Connection connection = DriverManager.getConnection(server.jtdsUrl("ssl=request"))) {
            assertThat(connection.isClosed()).isFalse();
        }
        assertThat(log).contains("Enabling TLS encryption").doesNotContain(ENDS_TLS);
    }

    @Test
    void answerThatArrivesAfterTheEndOfTlsIsRead() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Policy.OPTIONAL);
                LoginOnlyRelay relay = new LoginOnlyRelay(server.port(), this::awaitPlainRead, false);
                Connection connection = DriverManager.getConnection(relay.jtdsUrl())) {
            assertThat(connection.isClosed()).isFalse();
            assertThat(log).contains(ENDS_TLS);
        }
    }

    /**
     * The server answers and closes before jTDS ends TLS: had the answer been kept, jTDS would read it, and ask its first
     * question, before it sees the end. If this ever fails, jTDS or the JDK has become better, and jTDS may have
     * login-only encryption.
     */
    @Test
    void answerThatArrivesBeforeTheEndOfTlsIsThrownAway() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Policy.OPTIONAL);
                LoginOnlyRelay relay = new LoginOnlyRelay(server.port(), () -> {}, true)) {
            beforeTlsEnds = relay::awaitAnswerSent;
            assertThatThrownBy(() -> DriverManager.getConnection(relay.jtdsUrl()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("DB server closed connection");
            assertThat(log).contains(ENDS_TLS);
            assertThat(server.sessions).hasSize(1);
            assertThat(server.sessions.getFirst().closed.await(10, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(server.sessions.getFirst().heard).isEmpty();
        }
    }

    /** Waits until jTDS reads from the socket itself, and no longer through TLS. */
    private void awaitPlainRead() {
        await().until(() -> {
            Thread thread = driver;
            if (thread == null) {
                return false;
            }
            List<String> methods = Stream.of(thread.getStackTrace())
                    .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                    .toList();
            return methods.contains("net.sourceforge.jtds.jdbc.SharedSocket.readPacket")
                    && methods.contains("sun.nio.ch.NioSocketImpl.implRead")
                    && methods.stream().noneMatch(method -> method.startsWith("sun.security.ssl"));
        });
    }

    private final class Listener extends Writer {
        private final StringBuilder line = new StringBuilder();

        @Override
        public void write(char[] text, int offset, int length) {
            line.append(text, offset, length);
        }

        @Override
        public void flush() {
            String said = line.toString().strip();
            line.setLength(0);
            log.add(said);
            if (said.equals(ENDS_TLS)) {
                driver = Thread.currentThread();
                beforeTlsEnds.run();
            }
        }

        @Override
        public void close() {}
    }
}

package dev.comporta.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.e2e.ServerCertificate;
import dev.comporta.e2e.Target;
import dev.comporta.e2e.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The matrix again, through a proxy: a driver must find and show exactly what it does without one. Several play at the
 * same time, on fewer server connections than they would have opened by themselves.
 */
class ProxiedMatrixTest {
    /** One more than plays run at a time, so that one of them that needs two connections always gets its second. */
    private static final int MAX_CONNECTIONS = 5;

    /** The connection that makes the tables and looks into them goes past the proxy. */
    private static final int WITNESSES = 1;

    @Nested
    class TransactionMode extends Way {
        TransactionMode() {
            super("auto", "transaction", "optional", "login", Set.of(Tls.OFF, Tls.ON, Tls.STRICT));
        }
    }

    @Nested
    class SessionMode extends Way {
        SessionMode() {
            super("epoll", "session", "optional", "on", Set.of(Tls.OFF, Tls.ON, Tls.STRICT));
        }
    }

    /** Every driver whose connection can be encrypted as a whole. */
    @Nested
    class TlsRequired extends Way {
        TlsRequired() {
            super("auto", "transaction", "required", "strict", Set.of(Tls.ON, Tls.STRICT));
        }
    }

    /** Not even logins are encrypted, on either side. */
    @Nested
    class TlsOff extends Way {
        TlsOff() {
            super("nio", "transaction", "off", "off", Set.of(Tls.OFF));
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @ExtendWith(DirectRun.Shared.class)
    abstract static class Way {
        private final String transport;
        private final String poolMode;
        private final String tls;
        private final String encrypt;
        private final Set<Tls> drivers;

        /** Where each driver's failing logins go, so that they don't delay one another for seconds. */
        private final Map<Driver, Instance> refusing = new ConcurrentHashMap<>();

        private TestServer server;
        private Instance instance;
        private Stage stage;

        /**
         * @param transport how the proxy serves its sockets: each of those there are has its drivers
         * @param tls what the proxy makes of its clients' encryption
         * @param encrypt how the proxy encrypts towards the server
         */
        Way(String transport, String poolMode, String tls, String encrypt, Set<Tls> drivers) {
            this.transport = transport;
            this.poolMode = poolMode;
            this.tls = tls;
            this.encrypt = encrypt;
            this.drivers = drivers;
        }

        @BeforeAll
        void start() throws Exception {
            server = TestServer.start();
            instance = startInstance();
            stage = Stage.on(server, wayThrough(instance));
        }

        private Instance startInstance() throws IOException {
            Target target = server.target();
            return LocalInstance.start("""
                    default_bucket: matrix
                    transport: %s
                    tls: {mode: %s}
                    """.formatted(transport, tls), """
                    buckets:
                      - id: matrix
                        host: %s
                        port: %d
                        max_connections: %d
                        pool_mode: %s
                        encrypt: %s
                        trust_server_certificate: true
                    """.formatted(
                            target.host(), target.port(), MAX_CONNECTIONS, poolMode, encrypt));
        }

        private Target wayThrough(Instance proxied) {
            Target target = server.target();
            return new Target("127.0.0.1", proxied.proxy().port(), target.user(), target.password(), target.database());
        }

        @AfterAll
        void stop() throws Exception {
            try {
                await("clients have left")
                        .untilAsserted(() -> assertThat(
                                        instance.proxy().glance("matrix").clients())
                                .isZero());
                if (server.isStandin()) {
                    assertThat(server.counters().mostSessions()).isBetween(2, MAX_CONNECTIONS + WITNESSES);
                }
            } finally {
                for (Instance other : refusing.values()) {
                    ServerCertificate.forget(wayThrough(other));
                    other.close();
                }
                instance.close();
                stage.close();
                server.close();
            }
        }

        @TestFactory
        @Execution(ExecutionMode.CONCURRENT)
        Stream<DynamicTest> isNotNoticed(DirectRun direct) {
            return Stage.tests(driver -> drivers.contains(driver.tls()), (driver, scenario) -> {
                Outcome expected = direct.of(driver, scenario);
                Outcome found = scenario.failsLogin()
                        ? stage.play(driver, scenario, wayThrough(refusing(driver)))
                        : stage.play(driver, scenario);
                assertThat(found.found()).isEqualTo(expected.found());
                assertThat(found.leaves()).isEqualTo(expected.leaves());
                assertSameLines(found.besides(), expected.besides());
            });
        }

        private Instance refusing(Driver driver) {
            return refusing.computeIfAbsent(driver, _ -> {
                try {
                    return startInstance();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Some print a hundred thousand lines: the first that differs is enough. */
    private static void assertSameLines(List<String> found, List<String> expected) {
        for (int line = 0; line < Math.min(found.size(), expected.size()); line++) {
            assertThat(found.get(line)).as("line %d", line + 1).isEqualTo(expected.get(line));
        }
        assertThat(found).hasSameSizeAs(expected);
    }
}

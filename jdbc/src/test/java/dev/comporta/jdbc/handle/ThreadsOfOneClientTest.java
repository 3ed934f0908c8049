package dev.comporta.jdbc.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.session.SessionDefaults;
import dev.comporta.jdbc.stub.StubServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** JDBC lets the threads of a client share a connection. */
class ThreadsOfOneClientTest {
    private static final int THREADS = 4;
    private static final int TURNS = 200_000;

    private final StubServer server = new StubServer();

    private Session open() throws SQLException {
        return new Opener(
                        "jdbc:stub:x",
                        server,
                        Dialect.GENERIC,
                        new Properties(),
                        Credentials.of("app", "secret"),
                        SessionDefaults.DRIVERS,
                        LossRule.NONE,
                        null,
                        Duration.ofSeconds(30))
                .open();
    }

    /** A turn of one thread. */
    private interface Turn {
        void take(int number) throws Exception;
    }

    private static void together(Turn turn) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    start.await();
                    turn.take(number);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(2, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void allTheirStatementsAreClosedWithTheConnection() throws Exception {
        Session session = open();
        AtomicInteger closed = new AtomicInteger();
        together(_ -> {
            for (int i = 0; i < 10 * TURNS; i++) {
                AutoCloseable statement = new Counted(new AtomicInteger());
                session.track(statement);
                session.untrack(statement);
            }
            session.track(new Counted(closed));
        });
        session.closeStatements();
        assertThat(closed.get()).isEqualTo(THREADS);
    }

    private record Counted(AtomicInteger closed) implements AutoCloseable {
        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /** The text that was judged last is remembered: the verdict on it must not be taken for that on another thread's. */
    @Test
    void whatOneOfThemLeavesIsNotHiddenByTheTextsOfOthers() throws Exception {
        Session session = open();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger hidden = new AtomicInteger();
        together(number -> {
            if (number > 0) {
                for (int i = 0; !over.get(); i++) {
                    session.ran("SELECT " + i);
                }
                return;
            }
            try {
                for (int i = 0; i < TURNS; i++) {
                    session.ran("SET x = " + i);
                    hidden.addAndGet(session.isDirty() ? 0 : 1);
                    session.reset(false);
                }
            } finally {
                over.set(true);
            }
        });
        assertThat(hidden.get()).isZero();
    }
}

package dev.comporta.bench.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Measures preparing and executing a statement, reading its result and closing both, on a connection that each thread keeps. */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class StatementBenchmark {
    private static final String SQL = "SELECT name FROM orders WHERE id = ?";

    @Param
    private PeerPool pool = PeerPool.COMPORTA;

    private @Nullable DataSource source;

    @Setup(Level.Trial)
    public void open() throws SQLException {
        source = pool.open(new PeerPool.Terms(StubDriver.PREFIX, 32, 32, Duration.ZERO, false));
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        if (source != null) {
            PeerPool.close(source);
        }
    }

    /** A thread's connection. */
    @State(Scope.Thread)
    public static class Loan {
        private @Nullable Connection connection;

        @Setup(Level.Trial)
        public void borrow(StatementBenchmark benchmark) throws SQLException {
            if (benchmark.source != null) {
                connection = benchmark.source.getConnection();
            }
        }

        @TearDown(Level.Trial)
        public void giveBack() throws SQLException {
            if (connection != null) {
                connection.close();
            }
        }

        boolean cycle() throws SQLException {
            if (connection == null) {
                throw new IllegalStateException("not set up");
            }
            try (PreparedStatement statement = connection.prepareStatement(SQL)) {
                statement.setInt(1, 7);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next();
                }
            }
        }
    }

    @Benchmark
    @Threads(1)
    public boolean statementBy1(Loan loan) throws SQLException {
        return loan.cycle();
    }

    @Benchmark
    @Threads(8)
    public boolean statementBy8(Loan loan) throws SQLException {
        return loan.cycle();
    }
}

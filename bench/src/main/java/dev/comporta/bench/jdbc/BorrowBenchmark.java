package dev.comporta.bench.jdbc;

import java.sql.Connection;
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

/**
 * Measures borrowing and returning a connection, with nothing in between, by 1, 2, 8 and 32 threads, over a driver of stubs.
 * {@code gc.alloc.rate.norm} is bytes per operation.
 */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class BorrowBenchmark {
    @Param
    private PeerPool pool = PeerPool.COMPORTA;

    @Param({"32", "4"})
    private int size;

    private @Nullable DataSource source;

    @Setup(Level.Trial)
    public void open() throws SQLException {
        source = pool.open(new PeerPool.Terms(StubDriver.PREFIX, size, size, Duration.ZERO, false));
        getAndClose();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        if (source != null) {
            PeerPool.close(source);
        }
    }

    private Connection getAndClose() throws SQLException {
        if (source == null) {
            throw new IllegalStateException("not set up");
        }
        Connection connection = source.getConnection();
        connection.close();
        return connection;
    }

    @Benchmark
    @Threads(1)
    public Connection by1() throws SQLException {
        return getAndClose();
    }

    @Benchmark
    @Threads(2)
    public Connection by2() throws SQLException {
        return getAndClose();
    }

    @Benchmark
    @Threads(8)
    public Connection by8() throws SQLException {
        return getAndClose();
    }

    @Benchmark
    @Threads(32)
    public Connection by32() throws SQLException {
        return getAndClose();
    }
}

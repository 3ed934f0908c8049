package dev.comporta.bench.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.comporta.jdbc.ComportaDataSource;
import java.sql.Connection;
import java.sql.SQLException;
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
 * A connection borrowed and returned, with nothing in between, by 1, 2, 8 and 32 threads, over a driver of stubs.
 * {@code gc.alloc.rate.norm} is bytes per operation.
 */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class BorrowBenchmark {
    @Param({"comporta", "hikari"})
    private String pool = "";

    @Param({"32", "4"})
    private int size;

    private @Nullable DataSource source;

    @Setup(Level.Trial)
    public void open() throws SQLException {
        source = pool.equals("hikari") ? hikari() : comporta();
        getAndClose();
    }

    private DataSource comporta() {
        ComportaDataSource made = new ComportaDataSource();
        made.setJdbcUrl("jdbc:stub:");
        made.setDriverClassName(StubDriver.class.getName());
        made.setMaximumPoolSize(size);
        made.setMinimumIdle(size);
        return made;
    }

    private DataSource hikari() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:stub:");
        config.setDriverClassName(StubDriver.class.getName());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        if (source instanceof AutoCloseable closeable) {
            closeable.close();
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

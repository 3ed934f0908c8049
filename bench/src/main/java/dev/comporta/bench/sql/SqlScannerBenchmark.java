package dev.comporta.bench.sql;

import static java.nio.charset.StandardCharsets.UTF_16LE;

import dev.comporta.tds.sql.SqlScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the bytes of text scanned per second, the CPU time per text, and that a scan allocates nothing. The texts are a
 * query of an object-relational mapper, the options that a driver sets on connect, and a long literal.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SqlScannerBenchmark {
    private static final String QUERY =
            "SELECT o.Id, o.CustomerId, o.PlacedAt, c.Name AS CustomerName, SUM(l.Quantity * l.Price) AS Total "
                    + "FROM dbo.Orders AS o INNER JOIN dbo.Customers AS c ON c.Id = o.CustomerId "
                    + "LEFT JOIN dbo.OrderLines AS l ON l.OrderId = o.Id "
                    + "WHERE o.PlacedAt >= @p0 AND c.Country = N'PT' AND (o.Status = 1 OR o.Status = 2) "
                    + "GROUP BY o.Id, o.CustomerId, o.PlacedAt, c.Name ORDER BY o.PlacedAt DESC "
                    + "OFFSET @p1 ROWS FETCH NEXT @p2 ROWS ONLY";

    private static final String PROLOGUE =
            "set quoted_identifier on set ansi_warnings on set ansi_padding on set ansi_nulls on "
                    + "set concat_null_yields_null on set arithabort on set cursor_close_on_commit off "
                    + "set implicit_transactions off set language us_english set dateformat mdy set datefirst 7 "
                    + "set transaction isolation level read committed";

    private static final String LITERAL = "INSERT INTO dbo.Notes (Body) VALUES (N'" + "lorem ipsum ".repeat(400) + "')";

    @Param({"query", "prologue", "literal"})
    public String text = "query";

    private final SqlScanner scanner = new SqlScanner();
    private ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(0);

    /** Counts bytes in addition to texts. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Throughput {
        public long bytes;
    }

    @Setup
    public void setUp() {
        String chosen = switch (text) {
            case "query" -> QUERY;
            case "prologue" -> PROLOGUE;
            default -> LITERAL;
        };
        bytes.release();
        bytes = PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(chosen.getBytes(UTF_16LE));
    }

    @TearDown
    public void tearDown() {
        bytes.release();
        bytes = PooledByteBufAllocator.DEFAULT.directBuffer(0);
    }

    @Benchmark
    public long scan(Throughput counted) {
        counted.bytes += bytes.readableBytes();
        return scanner.scan(bytes, 0, bytes.readableBytes(), dev.comporta.tds.sql.Scope.BATCH)
                .bits();
    }
}

package dev.comporta.bench.token;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.walk.TokenWalker;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how fast the walker reads responses in packets of 4,096 bytes from a direct buffer, as in the proxy, and that it
 * allocates nothing: {@code gc.alloc.rate.norm} is bytes allocated per response, {@code cpu.norm} the CPU time.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TokenWalkerBenchmark {
    private static final int ROWS = 1000;
    private static final int NARROW_ROWS = 2000;

    /** SQL Server's default packet size without the header. */
    private static final int PAYLOAD = 4096 - 8;

    private final ByteBuf tenColumns = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf oneColumn = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf oneRow = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf commit = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final LastStatus sink = new LastStatus();
    private final TokenWalker walker = new TokenWalker(TdsVersion.V7_4, sink);

    /** The least that a pooler does with the walker's tokens. */
    private static final class LastStatus implements TokenSink {
        private int status;
        private long committed;

        @Override
        public void done(int token, int doneStatus, int command, long rowCount) {
            status = doneStatus;
        }

        @Override
        public void transactionCommitted(long descriptor) {
            committed = descriptor;
        }
    }

    /** Counts the bytes in the responses. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Bytes {
        public long bytes;
    }

    @Setup
    public void writeResponses() {
        Responses.writeTenColumns(tenColumns, ROWS);
        Responses.writeOneColumn(oneColumn, NARROW_ROWS);
        Responses.writeOneRow(oneRow);
        Responses.writeCommit(commit);
    }

    @TearDown
    public void release() {
        tenColumns.release();
        oneColumn.release();
        oneRow.release();
        commit.release();
    }

    /** A thousand rows of ten columns. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public int tenColumns(Bytes counter) {
        return walkInPackets(tenColumns, counter);
    }

    /** Two thousand rows of one int. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public int oneColumn(Bytes counter) {
        return walkInPackets(oneColumn, counter);
    }

    private int walkInPackets(ByteBuf response, Bytes counter) {
        int end = response.writerIndex();
        for (int from = 0; from < end; from += PAYLOAD) {
            int to = Math.min(from + PAYLOAD, end);
            walker.walk(response, from, to, to == end);
        }
        counter.bytes += end;
        return sink.status;
    }

    /** A whole response of one row. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public int oneRow() {
        walker.walk(oneRow, 0, oneRow.writerIndex(), true);
        return sink.status;
    }

    /** The answer to a COMMIT. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public long commit() {
        walker.walk(commit, 0, commit.writerIndex(), true);
        return sink.committed;
    }
}

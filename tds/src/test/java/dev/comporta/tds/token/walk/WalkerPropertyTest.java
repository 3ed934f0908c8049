package dev.comporta.tds.token.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.tds.type.AnyValue;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** What the writer writes, the walker walks: any columns, any values, any packets. */
class WalkerPropertyTest {
    private static final Set<DataType> INTEGERS =
            EnumSet.of(DataType.INTN, DataType.INT1, DataType.INT2, DataType.INT4, DataType.INT8);

    @Provide
    Arbitrary<List<List<AnyValue>>> results() {
        return AnyValue.ofColumn().list().ofMinSize(1).ofMaxSize(12).list().ofMaxSize(3);
    }

    @Provide
    Arbitrary<List<AnyValue>> oldRow() {
        return AnyValue.ofOldColumn().list().ofMinSize(1).ofMaxSize(12);
    }

    @Provide
    Arbitrary<TdsVersion> newVersions() {
        return Arbitraries.of(TdsVersion.V7_3A, TdsVersion.V7_3B, TdsVersion.V7_4, TdsVersion.V8_0);
    }

    @Property(tries = 500)
    void anyResultsInAnyPackets(
            @ForAll("results") List<List<AnyValue>> results,
            @ForAll("newVersions") TdsVersion asked,
            @ForAll @IntRange(min = 1, max = 700) int packet,
            @ForAll @IntRange(max = 4) int rows) {
        TdsVersion version = hasNewTypes(results) && !asked.isAtLeast(TdsVersion.V7_4) ? TdsVersion.V7_4 : asked;
        TokenWriter writer = new TokenWriter(version);
        ByteBuf out = Unpooled.buffer();
        List<String> expected = new ArrayList<>();
        for (List<AnyValue> result : results) {
            writeResult(out, version, result, rows);
            writer.done(out, DoneStatus.MORE | DoneStatus.COUNT, 0xC1, rows);
            expected.add("result set");
            expected.add("DONE 11 command c1 rows " + rows);
        }
        writer.transactionCommitted(out, -1);
        expected.add("committed ffffffffffffffff");
        writer.done(out, DoneStatus.FINAL, 0, 0);
        expected.add("DONE 0 command 0 rows 0");
        expected.add("end");
        assertThat(walk(out, version, packet)).isEqualTo(expected);
    }

    @Property(tries = 200)
    void oldVersionsToo(@ForAll("oldRow") List<AnyValue> row, @ForAll @IntRange(min = 1, max = 300) int packet) {
        ByteBuf out = Unpooled.buffer();
        writeResult(out, TdsVersion.V7_1, row, 2);
        new TokenWriter(TdsVersion.V7_1).done(out, DoneStatus.COUNT, 0xC1, 2);
        assertThat(walk(out, TdsVersion.V7_1, packet))
                .containsExactly("result set", "DONE 10 command c1 rows 2", "end");
    }

    @Property(tries = 300)
    void anyReturnValue(@ForAll("oldRow") List<AnyValue> values, @ForAll @IntRange(min = 1, max = 300) int packet) {
        TokenWriter writer = new TokenWriter(TdsVersion.V7_4);
        ByteBuf out = Unpooled.buffer();
        for (AnyValue any : values) {
            writer.returnValue(out, 1, "@p", TokenWriter.OUTPUT_PARAMETER, any.type(), any.value());
        }
        writer.doneProc(out, DoneStatus.FINAL, 0, 0);
        List<String> walked = walk(out, TdsVersion.V7_4, packet);
        assertThat(walked).hasSize(values.size() + 2);
        for (int i = 0; i < values.size(); i++) {
            AnyValue any = values.get(i);
            if (!INTEGERS.contains(any.type().type())) {
                assertThat(walked.get(i)).isEqualTo("value 1 is something else");
            } else if (any.value() == null) {
                assertThat(walked.get(i)).isEqualTo("value 1 = null");
            } else {
                assertThat(walked.get(i)).startsWith("value 1 = " + any.value() + " at ");
            }
        }
    }

    @Property(tries = 300)
    void anyReturnValueOfOldVersionsByItsOrder(
            @ForAll("oldRow") List<AnyValue> values, @ForAll @IntRange(min = 1, max = 300) int packet) {
        TokenWriter writer = new TokenWriter(TdsVersion.V7_1);
        ByteBuf out = Unpooled.buffer();
        for (AnyValue any : values) {
            writer.returnValue(out, 7, "@p", TokenWriter.OUTPUT_PARAMETER, any.type(), any.value());
        }
        writer.doneProc(out, DoneStatus.FINAL, 0, 0);
        List<String> walked = walk(out, TdsVersion.V7_1, packet);
        assertThat(walked).hasSize(values.size() + 2);
        for (int i = 0; i < values.size(); i++) {
            assertThat(walked.get(i)).startsWith("value " + i + " ");
        }
    }

    /** Integers that can be null, and such that can't: rows of these are passed over by their length, where none is null. */
    @Provide
    Arbitrary<List<TypeInfo>> integerColumns() {
        return Arbitraries.of(
                        TypeInfo.intN(4),
                        TypeInfo.intN(1),
                        TypeInfo.fixed(DataType.INT4),
                        TypeInfo.fixed(DataType.INT1))
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Property(tries = 500)
    void rowsOfIntegersWithNullsAmongThemInAnyPackets(
            @ForAll("integerColumns") List<TypeInfo> types,
            @ForAll @IntRange(min = 1, max = 120) int packet,
            @ForAll @IntRange(max = 60) int rows,
            @ForAll long seed) {
        TdsVersion version = TdsVersion.V7_2; // later ones write a row with nulls in another way
        RandomGenerator random = new SplittableRandom(seed);
        RowFormat format = new RowFormat(
                version,
                types.stream().map(type -> new ColumnMetadata("n", type)).toList());
        ByteBuf out = Unpooled.buffer();
        format.writeMetadata(out);
        for (int i = 0; i < rows; i++) {
            format.writeRow(
                    out, types.stream().map(type -> integer(type, random)).toArray());
        }
        new TokenWriter(version).done(out, DoneStatus.COUNT, 0xC1, rows);
        List<String> expected = List.of("result set", "DONE 10 command c1 rows " + rows, "end");
        // What lies beside a packet must not count, though it could be a row, or either of the lengths.
        for (int beside : new int[] {TokenType.ROW, 4, 1}) {
            RecordingSink sink = new RecordingSink(true);
            TokenWalker walker = new TokenWalker(version, sink);
            int end = out.writerIndex();
            for (int from = 0; from < end; from += packet) {
                int to = Math.min(from + packet, end);
                OutsideHeap.walk(walker, out, from, to, to == end, (byte) beside);
            }
            assertThat(sink.events).as("beside bytes %02x", beside).isEqualTo(expected);
        }
    }

    /** Mostly one that looks like the beginning of a row. */
    private static @Nullable Object integer(TypeInfo type, RandomGenerator random) {
        if (type.type() == DataType.INTN && random.nextInt(8) == 0) {
            return null;
        }
        int[] some = {0x04D104D1, 0xD1D1D1D1, 0x01D101D1, 0, random.nextInt()};
        int value = some[random.nextInt(some.length)];
        return type.type() == DataType.INT1 || type.maxLength() == 1 ? (short) (value & 0xFF) : value;
    }

    private static boolean hasNewTypes(List<List<AnyValue>> results) {
        return results.stream()
                .flatMap(List::stream)
                .anyMatch(any -> any.type().type().since() == TdsVersion.V7_4);
    }

    private static void writeResult(ByteBuf out, TdsVersion version, List<AnyValue> row, int rows) {
        List<ColumnMetadata> columns = new ArrayList<>();
        for (AnyValue any : row) {
            TypeInfo type = any.type();
            columns.add(new ColumnMetadata("c" + columns.size(), 0, 9, type, List.of("dbo", "t")));
        }
        RowFormat format = new RowFormat(version, columns);
        format.writeMetadata(out);
        for (int i = 0; i < rows; i++) {
            format.writeRow(out, row.stream().map(AnyValue::value).toArray());
        }
    }

    /** On the heap and outside of it. */
    private static List<String> walk(ByteBuf response, TdsVersion version, int packet) {
        RecordingSink sink = new RecordingSink(true);
        RecordingSink outsideSink = new RecordingSink(true);
        TokenWalker walker = new TokenWalker(version, sink);
        TokenWalker outside = new TokenWalker(version, outsideSink);
        int end = response.writerIndex();
        for (int from = 0; from < end; from += packet) {
            int to = Math.min(from + packet, end);
            walker.walk(response, from, to, to == end);
            OutsideHeap.walk(outside, response, from, to, to == end);
        }
        assertThat(outsideSink.events).as("outside of the heap").isEqualTo(sink.events);
        return sink.events;
    }
}

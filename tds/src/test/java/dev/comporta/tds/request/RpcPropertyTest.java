package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RpcParameter.ParameterCipher;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.SqlVariant;
import dev.comporta.tds.type.TableValue;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.tds.type.TypeName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;
import net.jqwik.api.constraints.IntRange;

class RpcPropertyTest {
    private static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);

    @Property(tries = 300)
    void whatIsWrittenReadsBackTheSame(@ForAll("requests") RpcRequest request) {
        ByteBuf body = Unpooled.buffer();
        request.write(body, TDS_7_4);
        assertThat(RpcRequest.read(body, TDS_7_4)).usingRecursiveComparison().isEqualTo(request);
    }

    @Property(tries = 300)
    void walkerTellsTheSameInPacketsOfAnySize(
            @ForAll("requests") RpcRequest request, @ForAll @IntRange(min = 1, max = 200) int size) {
        ByteBuf body = Unpooled.buffer();
        request.write(body, TDS_7_4);
        RecordingRpcSink whole = RecordingRpcSink.ofEverything();
        Packets.of(body.duplicate(), body.readableBytes(), 1).forEach(new RpcWalker(TDS_7_4, whole)::walk);
        RecordingRpcSink cut = RecordingRpcSink.ofEverything();
        Packets.of(body.duplicate(), size, 1).forEach(new RpcWalker(TDS_7_4, cut)::walk);
        assertThat(cut.events).isEqualTo(whole.events);
        int parameters = request.entries().stream()
                .mapToInt(entry -> entry.call().parameters().size())
                .sum();
        assertThat(whole.events.stream().filter(event -> event.contains(" status ")))
                .hasSize(parameters);
    }

    @Provide
    Arbitrary<RpcRequest> requests() {
        Arbitrary<RpcRequest.Entry> entries =
                Combinators.combine(calls(), Arbitraries.of(true, true, false)).as(RpcRequest.Entry::new);
        return Combinators.combine(
                        Arbitraries.longs(), entries.list().ofMinSize(1).ofMaxSize(4))
                .as((transaction, calls) -> new RpcRequest(AllHeaders.inTransaction(transaction), calls));
    }

    private static Arbitrary<RpcCall> calls() {
        Arbitrary<String> names = Arbitraries.strings().all().ofMinLength(1).ofMaxLength(50);
        return Combinators.combine(
                        Arbitraries.integers().between(0, 15),
                        names,
                        Arbitraries.integers().between(0, 7),
                        parameters().list().ofMaxSize(6))
                .as((procId, name, options, parameters) ->
                        new RpcCall(procId, procId == SystemProcedure.NONE ? name : "", options, parameters));
    }

    private static Arbitrary<RpcParameter> parameters() {
        Arbitrary<String> names = Arbitraries.strings().all().ofMaxLength(30);
        return Combinators.combine(names, Arbitraries.integers().between(0, 3), values(), Arbitraries.of(true, false))
                .as((name, status, value, encrypted) -> encrypted
                                && value.get1().type() == DataType.BIGVARBIN
                        ? new RpcParameter(
                                name,
                                status | RpcParameter.STATUS_ENCRYPTED,
                                value.get1(),
                                value.get2(),
                                new ParameterCipher(
                                        TypeInfo.nvarchar(20), status, status == 0 ? "a" : "", 1, 2, 3, 4, 5, 1))
                        : new RpcParameter(name, status, value.get1(), value.get2(), null));
    }

    /** Types with a value of theirs, or with null. */
    private static Arbitrary<Tuple2<TypeInfo, Object>> values() {
        Arbitrary<String> texts = Arbitraries.strings().all().ofMaxLength(300);
        Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(700);
        return Arbitraries.oneOf(
                Arbitraries.integers().map(i -> Tuple.of(TypeInfo.intN(4), i)),
                Arbitraries.longs().map(i -> Tuple.of(TypeInfo.intN(8), i)),
                texts.map(text -> Tuple.of(TypeInfo.nvarchar(4000), text)),
                texts.map(text -> Tuple.of(TypeInfo.nvarchar(TypeInfo.MAX), text)),
                texts.map(text -> Tuple.of(TypeInfo.ntext(), text)),
                bytes.map(value -> Tuple.of(TypeInfo.varbinary(8000), value)),
                bytes.map(value -> Tuple.of(TypeInfo.varbinary(TypeInfo.MAX), value)),
                bytes.map(value -> Tuple.of(TypeInfo.udt(new TypeName("db", "dbo", "geo")), value)),
                Arbitraries.integers().list().ofMaxSize(20).map(RpcPropertyTest::table),
                Arbitraries.of(fixedExamples()),
                Arbitraries.of(nulls()));
    }

    private static Tuple2<TypeInfo, Object> table(List<Integer> numbers) {
        List<TableValue.Column> columns = List.of(
                new TableValue.Column("n", 0, 0, TypeInfo.intN(4)),
                new TableValue.Column("d", 0, TableValue.Column.DEFAULT, TypeInfo.intN(4)),
                new TableValue.Column("t", 0, 1, TypeInfo.nvarchar(TypeInfo.MAX)));
        List<Object[]> rows = numbers.stream()
                .map(n -> new Object[] {n, n % 2 == 0 ? null : "x".repeat(n & 63)})
                .toList();
        return Tuple.of(TypeInfo.table(new TypeName("", "dbo", "tt")), new TableValue(columns, rows));
    }

    private static List<Tuple2<TypeInfo, Object>> fixedExamples() {
        LocalDateTime moment = LocalDateTime.of(2026, 11, 15, 22, 30, 15, 123_000_000);
        return List.of(
                Tuple.of(TypeInfo.fixed(DataType.INT4), -7),
                Tuple.of(TypeInfo.fixed(DataType.FLT8), 2.5),
                Tuple.of(TypeInfo.intN(1), (short) 200),
                Tuple.of(TypeInfo.intN(2), (short) -200),
                Tuple.of(TypeInfo.bitN(), true),
                Tuple.of(TypeInfo.floatN(4), 1.5f),
                Tuple.of(TypeInfo.moneyN(8), new BigDecimal("12.3400")),
                Tuple.of(TypeInfo.decimal(20, 3), new BigDecimal("-12345678901.234")),
                Tuple.of(TypeInfo.guid(), new UUID(1, 2)),
                Tuple.of(TypeInfo.date(), LocalDate.of(2026, 11, 15)),
                Tuple.of(TypeInfo.time(7), LocalTime.of(1, 2, 3, 400)),
                Tuple.of(TypeInfo.datetime2(3), moment),
                Tuple.of(TypeInfo.datetimeoffset(3), OffsetDateTime.of(moment, ZoneOffset.ofHours(-3))),
                Tuple.of(TypeInfo.varchar(10), "abc"),
                Tuple.of(TypeInfo.xml(), "<a/>"),
                Tuple.of(TypeInfo.json(), "{}"),
                Tuple.of(TypeInfo.vector(3), new float[] {1, 2, 3}),
                Tuple.of(TypeInfo.sqlVariant(), new SqlVariant(TypeInfo.fixed(DataType.INT4), 5)));
    }

    private static List<Tuple2<TypeInfo, Object>> nulls() {
        return List.of(
                Tuple.of(TypeInfo.intN(4), null),
                Tuple.of(TypeInfo.nvarchar(10), null),
                Tuple.of(TypeInfo.nvarchar(TypeInfo.MAX), null),
                Tuple.of(TypeInfo.varbinary(10), null),
                Tuple.of(TypeInfo.decimal(5, 2), null),
                Tuple.of(TypeInfo.text(), null),
                Tuple.of(TypeInfo.xml(), null),
                Tuple.of(TypeInfo.sqlVariant(), null),
                Tuple.of(TypeInfo.fixed(DataType.NULL), null));
    }
}

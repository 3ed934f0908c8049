package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.type.TableValue;
import dev.comporta.tds.type.TypeName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What drivers really send, recorded from their connections. */
class DriverRequestsTest {
    private static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);

    @Test
    void prepareAndExecuteOfJdbc() {
        RpcCall call = call("mssql-jdbc-prepexec");
        assertThat(call.procId()).isEqualTo(SystemProcedure.PREP_EXEC);
        assertThat(values(call))
                .containsExactly(0, "@P0 int,@P1 nvarchar(4000)", "UPDATE t SET a=@P0 WHERE b=@P1", 5, "ação");
        RpcParameter handle = call.parameters().get(SystemProcedure.preparedHandleParameter(call.procId()));
        assertThat(handle.isOutput()).isTrue();
        assertThat(call.parameters()
                        .get(SystemProcedure.statementParameter(call.procId()))
                        .value())
                .isEqualTo("UPDATE t SET a=@P0 WHERE b=@P1");
        assertThat(call.parameters()
                        .get(SystemProcedure.declarationParameter(call.procId()))
                        .value())
                .isEqualTo("@P0 int,@P1 nvarchar(4000)");
    }

    @Test
    void callWithAnOutputParameterOfJdbc() {
        RpcCall call = call("mssql-jdbc-output");
        assertThat(values(call))
                .containsExactly(
                        "EXEC dbo.soma @P0,@P1 OUT", "@P0 decimal(38,2),@P1 int OUTPUT", new BigDecimal("1.50"), null);
        assertThat(call.parameters().get(3).isOutput()).isTrue();
    }

    @Test
    void tableOfJdbc() {
        RpcCall call = call("mssql-jdbc-table");
        TableValue table = (TableValue) call.parameters().get(2).value();
        assertThat(table.rows()).containsExactly(new Object[] {1, "um"}, new Object[] {2, null});
        assertThat(call.parameters().get(2).type().name()).isEqualTo(new TypeName("", "dbo", "tt"));
    }

    @Test
    void chunksOfPythonTds() {
        assertThat(values(call("python-tds-executesql")))
                .containsExactly(
                        "SELECT @P1, @P2, @P3",
                        "@P1 INT,@P2 NVARCHAR(MAX),@P3 DECIMAL(2, 1)",
                        1,
                        "ação",
                        new BigDecimal("1.5"));
        RpcCall byName = call("python-tds-call");
        assertThat(byName.name()).isEqualTo("dbo.soma");
        assertThat(values(byName)).containsExactly(1, null, "x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mssql-jdbc-prepexec",
                "mssql-jdbc-output",
                "mssql-jdbc-table",
                "python-tds-executesql",
                "python-tds-call"
            })
    void walkerFollowsWhereverPacketsAreCut(String name) {
        byte[] bytes = Fixture.load("request/" + name).bytes();
        RpcCall call = call(name);
        RecordingRpcSink whole = RecordingRpcSink.ofEverything();
        Packets.of(Unpooled.wrappedBuffer(bytes), bytes.length, 1).forEach(new RpcWalker(TDS_7_4, whole)::walk);
        assertThat(whole.events.getFirst()).isEqualTo("call %d %s".formatted(call.procId(), call.name()));
        assertThat(whole.events.stream().filter(event -> event.contains(" status ")))
                .hasSize(call.parameters().size());
        for (int size = 1; size < bytes.length; size++) {
            RecordingRpcSink cut = RecordingRpcSink.ofEverything();
            Packets.of(Unpooled.wrappedBuffer(bytes), size, 1).forEach(new RpcWalker(TDS_7_4, cut)::walk);
            assertThat(cut.events).isEqualTo(whole.events);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mssql-jdbc-prepexec", "mssql-jdbc-table"})
    void whatJdbcWroteIsWrittenTheSame(String name) {
        byte[] bytes = Fixture.load("request/" + name).bytes();
        ByteBuf out = Unpooled.buffer();
        RpcRequest.read(Unpooled.wrappedBuffer(bytes), TDS_7_4).write(out, TDS_7_4);
        assertThat(out).isEqualTo(Unpooled.wrappedBuffer(bytes));
    }

    private static RpcCall call(String fixture) {
        byte[] bytes = Fixture.load("request/" + fixture).bytes();
        RpcRequest request = RpcRequest.read(Unpooled.wrappedBuffer(bytes), TDS_7_4);
        assertThat(request.entries()).hasSize(1);
        return request.entries().getFirst().call();
    }

    private static List<Object> values(RpcCall call) {
        return call.parameters().stream().map(RpcParameter::value).collect(Collectors.toCollection(ArrayList::new));
    }
}

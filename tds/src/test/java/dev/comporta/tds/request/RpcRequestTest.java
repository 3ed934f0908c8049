package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RpcParameter.ParameterCipher;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.TableValue;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RpcRequestTest {
    static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);
    static final RequestFormat TDS_7_1 = RequestFormat.of(TdsVersion.V7_1);

    @Test
    void executeSqlIsReadWithItsParameters() {
        RpcRequest request = read("request/rpc-executesql", TDS_7_4);
        assertThat(request.headers()).isEqualTo(AllHeaders.AUTOCOMMIT);
        assertThat(request.entries()).hasSize(1);
        RpcCall call = request.entries().get(0).call();
        assertThat(call.procId()).isEqualTo(SystemProcedure.EXECUTE_SQL);
        assertThat(call.systemProcedure()).isEqualTo(SystemProcedure.EXECUTE_SQL);
        assertThat(call.parameters()).extracting(RpcParameter::name).containsExactly("", "", "@p", "@o");
        assertThat(call.parameters())
                .extracting(RpcParameter::value)
                .containsExactly("SELECT @o = @p", "@p int, @o int out", 42, null);
        assertThat(call.parameters()).extracting(RpcParameter::isOutput).containsExactly(false, false, false, true);
    }

    @Test
    void severalCallsInAMessageAreReadWithTheOneThatWasTakenBack() {
        RpcRequest request = read("request/rpc-several", TDS_7_4);
        assertThat(request.entries()).extracting(RpcRequest.Entry::execute).containsExactly(true, false, true);
        RpcCall who = request.entries().get(0).call();
        assertThat(who.name()).isEqualTo("sys.sp_who");
        assertThat(who.systemProcedure()).isEqualTo(SystemProcedure.NONE);
        assertThat(who.options()).isEqualTo(RpcCall.OPTION_NO_METADATA);
        assertThat(who.parameters()).isEmpty();
        RpcCall unprepare = request.entries().get(1).call();
        assertThat(unprepare.procId()).isEqualTo(SystemProcedure.NONE);
        assertThat(unprepare.systemProcedure()).isEqualTo(SystemProcedure.UNPREPARE);
        RpcCall execute = request.entries().get(2).call();
        assertThat(execute.procId()).isEqualTo(SystemProcedure.EXECUTE);
        assertThat(execute.parameters())
                .extracting(RpcParameter::value)
                .containsExactly(-5, null, new byte[] {1, 2, 3, 4}, true);
        assertThat(execute.parameters().get(1).isDefault()).isTrue();
    }

    @Test
    void callsOfTds71AreSeparatedByAnotherFlag() {
        RpcRequest request = read("request/rpc-7.1", TDS_7_1);
        assertThat(request.entries()).extracting(e -> e.call().name()).containsExactly("sp_executesql", "foo");
        assertThat(request.entries().get(0).call().parameters().get(0).value()).isEqualTo("SELECT 1");
        assertThat(request.entries().get(1).call().parameters())
                .extracting(RpcParameter::value)
                .containsExactly("abc", new BigDecimal("1.23"));
    }

    @Test
    void tableIsReadAsRows() {
        List<RpcParameter> parameters =
                read("request/rpc-table", TDS_7_4).entries().get(0).call().parameters();
        assertThat(parameters.get(0).value()).isEqualTo((short) 255);
        assertThat(parameters.get(1).type().type()).isEqualTo(DataType.TVP);
        TableValue table = (TableValue) parameters.get(1).value();
        assertThat(table.rows()).containsExactly(new Object[] {1, "hi"}, new Object[] {null, null});
        assertThat(((TableValue) parameters.get(2).value()).rows()).isEmpty();
        assertThat(parameters.get(3).value()).isEqualTo(-1L);
    }

    @Test
    void encryptedParametersSayHow() {
        List<RpcParameter> parameters =
                read("request/rpc-encrypted", TDS_7_4).entries().get(0).call().parameters();
        assertThat(parameters).extracting(RpcParameter::name).containsExactly("@s", "@u", "@g", "@x", "@v");
        assertThat(parameters.get(0).cipher())
                .isEqualTo(new ParameterCipher(TypeInfo.intN(4), 2, "", 1, 1, 2, 3, 4, 1));
        assertThat(parameters.get(1).cipher())
                .extracting(ParameterCipher::algorithmName)
                .isEqualTo("alg");
        assertThat(parameters.get(3).value()).isEqualTo("<a>b</a>");
    }

    @Test
    void enclavePackageIsPassedOver() {
        RequestFormat format = new RequestFormat(TdsVersion.V7_4, true);
        RpcRequest request =
                RpcRequest.of(AllHeaders.AUTOCOMMIT, RpcCall.of("p", RpcParameter.of("@a", TypeInfo.intN(4), 5)));
        RpcRequest read = Fixture.load("request/rpc-enclave").replay(body -> RpcRequest.read(body, format));
        assertThat(read).isEqualTo(request);
        ByteBuf without = Unpooled.buffer();
        request.write(without, format);
        assertThat(RpcRequest.read(without, format)).as("an empty one").isEqualTo(request);
    }

    @Test
    void cutMessagesAreRefused() {
        assertThatThrownBy(() -> RpcRequest.read(Unpooled.wrappedBuffer(new byte[] {5, 0, 'a', 0}), TDS_7_1))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> RpcRequest.read(Unpooled.EMPTY_BUFFER, TDS_7_1))
                .isInstanceOf(ProtocolException.class);
        byte[] bytes = Fixture.load("request/rpc-executesql").bytes();
        // At these lengths a parameter is complete, and a shorter call is a call.
        List<Integer> complete = List.of(28, 68, 116, 129);
        for (int length = 0; length < bytes.length; length++) {
            ByteBuf cut = Unpooled.wrappedBuffer(bytes, 0, length);
            if (complete.contains(length)) {
                assertThat(RpcRequest.read(cut, TDS_7_4).entries()).hasSize(1);
            } else {
                assertThatThrownBy(() -> RpcRequest.read(cut, TDS_7_4))
                        .as("cut at %d", length)
                        .isInstanceOf(ProtocolException.class);
            }
        }
    }

    @Test
    void whatAFixtureSaysIsWrittenTheSame() {
        Fixture fixture = Fixture.load("request/rpc-executesql");
        assertThat(ByteBufUtil.hexDump(written(fixture))).isEqualTo(ByteBufUtil.hexDump(fixture.bytes()));
    }

    /** Its values of unlimited length are in chunks of the sender's choice. */
    @Test
    void encryptedParametersReadBackAsTheyWere() {
        Fixture fixture = Fixture.load("request/rpc-encrypted");
        assertThat(RpcRequest.read(written(fixture), TDS_7_4))
                .usingRecursiveComparison()
                .isEqualTo(RpcRequest.read(Unpooled.wrappedBuffer(fixture.bytes()), TDS_7_4));
    }

    private static ByteBuf written(Fixture fixture) {
        ByteBuf out = Unpooled.buffer();
        RpcRequest.read(Unpooled.wrappedBuffer(fixture.bytes()), TDS_7_4).write(out, TDS_7_4);
        return out;
    }

    /** Read in every way, and compared by what is in arrays. */
    private static RpcRequest read(String fixture, RequestFormat format) {
        Fixture.load(fixture).replay(body -> describe(RpcRequest.read(body, format)));
        return RpcRequest.read(Unpooled.wrappedBuffer(Fixture.load(fixture).bytes()), format);
    }

    private static String describe(RpcRequest request) {
        StringBuilder text = new StringBuilder(request.headers().toString());
        for (RpcRequest.Entry entry : request.entries()) {
            text.append(entry.call().procId()).append(entry.call().name()).append(entry.execute());
            for (RpcParameter parameter : entry.call().parameters()) {
                Object value = parameter.value() instanceof TableValue table
                        ? Arrays.deepToString(table.rows().toArray())
                        : parameter.value() instanceof byte[] bytes ? ByteBufUtil.hexDump(bytes) : parameter.value();
                text.append(parameter.name()).append(parameter.type()).append(value);
            }
        }
        return text.toString();
    }
}

package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The first byte of every input chooses the format, the second the size of the packets; the others are the body. */
class RequestFuzzTest {
    private static final List<RequestFormat> FORMATS = List.of(
            RequestFormat.of(TdsVersion.V7_4),
            RequestFormat.of(TdsVersion.V7_1),
            RequestFormat.of(TdsVersion.V7_2),
            new RequestFormat(TdsVersion.V8_0, true));

    static Stream<byte[]> rpcs() {
        return Stream.of("00", "01", "03")
                .flatMap(format -> Stream.of("rpc-executesql", "rpc-several", "rpc-7.1", "rpc-table", "rpc-encrypted")
                        .map(name ->
                                seed(format, Fixture.load("request/" + name).bytes())));
    }

    static Stream<byte[]> transactions() {
        return Stream.of(
                seed("01", Fixture.ofText("0500 05 04 \"t1\"").bytes()),
                seed("01", Fixture.ofText("0700 04 \"t1\" 01 02 00").bytes()),
                seed("01", Fixture.ofText("0100 0300 010203").bytes()));
    }

    static Stream<byte[]> batches() {
        return Stream.of(
                seed("01", Fixture.ofText("\"SELECT 1\"").bytes()),
                seed("00", Fixture.load("request/all-headers").bytes()));
    }

    static Stream<byte[]> bulkLoads() {
        return Stream.of(seed("00", Fixture.load("request/bulk-load").bytes()));
    }

    @MethodSource("rpcs")
    @FuzzTest
    void anyBytesAreAnRpcOrAProtocolErrorAndTheWalkerAgrees(byte[] input) {
        if (input.length < 2) {
            return;
        }
        RequestFormat format = format(input);
        RecordingRpcSink sink = RecordingRpcSink.ofEverything();
        boolean walked = walks(new RpcWalker(format, sink), input);
        RpcRequest request;
        try {
            request = RpcRequest.read(body(input), format);
        } catch (ProtocolException expected) {
            return;
        }
        if (request.entries().stream().anyMatch(entry -> entry.call().name().length() > 1000)) {
            return;
        }
        assertThat(walked).as("the walker accepts what the reader does").isTrue();
        assertThat(heads(sink.events)).isEqualTo(heads(request));
    }

    @MethodSource("transactions")
    @FuzzTest
    void anyBytesAreATransactionRequestOrAProtocolError(byte[] input) {
        if (input.length < 2) {
            return;
        }
        TransactionRequest request;
        try {
            request = TransactionRequest.read(body(input), format(input));
        } catch (ProtocolException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
            return;
        }
        ByteBuf out = Unpooled.buffer();
        request.write(out, format(input));
        assertThat(TransactionRequest.read(out, format(input))).isEqualTo(request);
    }

    @MethodSource("batches")
    @FuzzTest
    void anyBytesAreABatchOrAProtocolErrorAndTheWalkerAgrees(byte[] input) {
        if (input.length < 2) {
            return;
        }
        RequestFormat format = format(input);
        ByteBuf text = Unpooled.buffer();
        boolean walked = walks(new SqlBatchWalker(format, text::writeBytes), input);
        SqlBatch batch;
        try {
            batch = SqlBatch.read(body(input), format);
        } catch (ProtocolException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
            return;
        }
        assertThat(walked).isTrue();
        assertThat(Ucs2.get(text, 0, text.readableBytes() / 2)).isEqualTo(batch.text());
        ByteBuf out = Unpooled.buffer();
        batch.write(out, format);
        assertThat(SqlBatch.read(out, format)).isEqualTo(batch);
    }

    @MethodSource("bulkLoads")
    @FuzzTest
    void anyBytesAreABulkLoadOrAProtocolError(byte[] input) {
        if (input.length < 2) {
            return;
        }
        try {
            BulkLoadReaderTest.rows(body(input), format(input));
        } catch (ProtocolException expected) {
            assertThat(expected.getMessage()).isNotEmpty();
        }
    }

    private static byte[] seed(String format, byte[] body) {
        byte[] input = new byte[2 + body.length];
        input[0] = Byte.parseByte(format);
        input[1] = 20;
        System.arraycopy(body, 0, input, 2, body.length);
        return input;
    }

    private static RequestFormat format(byte[] input) {
        return FORMATS.get(input[0] & 3);
    }

    private static ByteBuf body(byte[] input) {
        return Unpooled.wrappedBuffer(input, 2, input.length - 2);
    }

    private static boolean walks(RequestWalker walker, byte[] input) {
        try {
            Packets.of(body(input), 1 + (input[1] & 0xFF), 1).forEach(walker::walk);
            return true;
        } catch (ProtocolException expected) {
            return false;
        }
    }

    /** Calls and parameters, without values, which the walker shows as bytes. */
    private static List<String> heads(List<String> events) {
        return events.stream()
                .filter(event -> event.startsWith("call ")
                        || event.contains(" status ")
                        || event.equals("execute")
                        || event.equals("taken back"))
                .toList();
    }

    private static List<String> heads(RpcRequest request) {
        List<String> heads = new ArrayList<>();
        for (RpcRequest.Entry entry : request.entries()) {
            RpcCall call = entry.call();
            heads.add("call %d %s".formatted(call.systemProcedure(), call.name()));
            for (int i = 0; i < call.parameters().size(); i++) {
                RpcParameter parameter = call.parameters().get(i);
                heads.add("%d %s status %d type %02x"
                        .formatted(
                                i,
                                parameter.name(),
                                parameter.status(),
                                parameter.type().type().code()));
            }
            heads.add(entry.execute() ? "execute" : "taken back");
        }
        return heads;
    }
}

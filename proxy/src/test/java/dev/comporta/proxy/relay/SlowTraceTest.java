package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.relay.request.StatementCapture;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.SlowRequest;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of a request that takes long, by a clock that the test sets. */
class SlowTraceTest {
    /** The end of a SELECT of seven rows. */
    private static final String SEVEN_ROWS = "FD 10 00 C1 00 07 00 00 00 00 00 00 00";

    private static final String TRANSACTION_BEGINS = "E3 0B 00 08 08 01 00 00 00 00 00 00 00 00";

    private final Listener listener = new Listener();
    private final ClientStage stage = new ClientStage(false, listener);

    @Test
    void waitFirstByteAndTotalAreToldEachByItself() {
        listener.slowNanos = Duration.ofMillis(100).toNanos();
        stage.clientSends(Requests.batch("SELECT a FROM t WHERE b = 'x'"));
        stage.pass(Duration.ofMillis(30));
        stage.attach(ClientStage.Given.FITTING);
        stage.pass(Duration.ofMillis(50));
        stage.serverSends(false, ClientStage.tokens("a9 0000"));
        stage.pass(Duration.ofMillis(20));
        stage.serverSends(true, ClientStage.tokens(SEVEN_ROWS));
        assertThat(listener.told).hasSize(1);
        SlowRequest slow = listener.told.getFirst();
        assertThat(slow.waitNanos()).isEqualTo(Duration.ofMillis(30).toNanos());
        assertThat(slow.firstByteNanos()).isEqualTo(Duration.ofMillis(50).toNanos());
        assertThat(slow.totalNanos()).isEqualTo(Duration.ofMillis(100).toNanos());
        assertThat(slow.rows()).isEqualTo(7);
        assertThat(text(slow)).isEqualTo("SELECT a FROM t WHERE b = 'x'");
        assertThat(slow.cutShort()).isFalse();
        assertThat(slow.procedure()).isEmpty();
        assertThat(slow.pin()).isNull();
        assertThat(slow.outcome()).isEqualTo(SlowRequest.Outcome.COMPLETED);
        assertThat(slow.bytesReceived()).isPositive();
        assertThat(slow.bytesSent()).isEqualTo(8 + 3 + 8 + 13);
        stage.strike();
    }

    @Test
    void aRequestBelowTheThresholdIsNotTold() {
        listener.slowNanos = Duration.ofMillis(100).toNanos();
        request("SELECT 1", Duration.ofMillis(99), SEVEN_ROWS);
        assertThat(listener.told).isEmpty();
        stage.strike();
    }

    @Test
    void nothingIsToldOfARequestDuringWhichTheLogWasTurnedOnOrOff() {
        stage.clientSends(Requests.batch("SELECT 1"));
        stage.attach(ClientStage.Given.FITTING);
        listener.slowNanos = 1;
        stage.pass(Duration.ofSeconds(1));
        stage.serverSends(true, ClientStage.tokens(SEVEN_ROWS));
        assertThat(listener.told).isEmpty();
        request("SELECT 2", Duration.ofSeconds(1), SEVEN_ROWS);
        assertThat(listener.told).hasSize(1);
        stage.clientSends(Requests.batch("SELECT 3"));
        stage.attach(ClientStage.Given.FITTING);
        stage.pass(Duration.ofSeconds(1));
        listener.slowNanos = Long.MAX_VALUE;
        stage.serverSends(true, ClientStage.tokens(SEVEN_ROWS));
        assertThat(listener.told).hasSize(1);
        stage.strike();
    }

    @Test
    void aPinIsToldWithItsReason() {
        listener.slowNanos = 1;
        request("BEGIN TRANSACTION", Duration.ofSeconds(1), TRANSACTION_BEGINS + SEVEN_ROWS);
        assertThat(listener.told.getFirst().pin()).isEqualTo(PinReason.TRANSACTION);
        stage.strike();
    }

    @Test
    void ofALongStatementItsBeginningIsTold() {
        listener.slowNanos = 1;
        String sql = "SELECT '" + "x".repeat(9_000) + "'";
        request(sql, Duration.ofSeconds(1), SEVEN_ROWS);
        SlowRequest slow = listener.told.getFirst();
        assertThat(text(slow)).isEqualTo(sql.substring(0, StatementCapture.MOST_BYTES / 2));
        assertThat(slow.cutShort()).isTrue();
        stage.strike();
    }

    @Test
    void ofACallItsNameIsToldAndTheStatementThatItRuns() {
        listener.slowNanos = 1;
        request(Requests.calls(RpcCall.of("dbo.[slow one]")), Duration.ofSeconds(1), SEVEN_ROWS);
        request(
                Requests.calls(RpcCall.of(SystemProcedure.EXECUTE_SQL, text("SELECT @P0"), text("@P0 int"))),
                Duration.ofSeconds(1),
                SEVEN_ROWS);
        assertThat(listener.told).extracting(SlowRequest::procedure).containsExactly("dbo.[slow one]", "sp_executesql");
        assertThat(listener.told).extracting(SlowTraceTest::text).containsExactly("", "SELECT @P0");
        stage.strike();
    }

    private void request(String sql, Duration takes, String answer) {
        request(Requests.batch(sql), takes, answer);
    }

    private void request(ByteBuf packet, Duration takes, String answer) {
        stage.clientSends(packet);
        if (!stage.hasServer()) {
            stage.attach(ClientStage.Given.FITTING);
        }
        stage.pass(takes);
        stage.serverSends(true, ClientStage.tokens(answer));
        stage.outcome();
    }

    private static RpcParameter text(String sql) {
        return RpcParameter.of("", TypeInfo.ntext(), sql);
    }

    private static String text(SlowRequest slow) {
        return new String(slow.statement(), StandardCharsets.UTF_16LE);
    }

    private static final class Listener implements News {
        final List<SlowRequest> told = new ArrayList<>();
        long slowNanos = Long.MAX_VALUE;

        @Override
        public long slowRequestNanos() {
            return slowNanos;
        }

        @Override
        public void slowRequest(SlowRequest request) {
            told.add(request);
        }
    }
}

package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.comporta.proxy.login.LoginResponses;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.RelayCounters;
import io.netty.buffer.ByteBuf;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What is counted and captured with each packet allocates nothing. */
class RelayAllocationTest {
    private static final int ROUNDS = 10_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final RequestInspector inspector = new RequestInspector(Requests.FORMAT);
    private final RelayCounters counters = new RelayCounters();
    private final ResponseTracker tracker =
            new ResponseTracker(LoginResponses.accepted().format(), (ordinal, value) -> value);
    private final ByteBuf request = Requests.batch("SELECT a FROM t WHERE b = 'x'");
    private final ByteBuf response =
            Requests.packet(4, 1, ClientStage.tokens("FD 10 00 C1 00 07 00 00 00 00 00 00 00"));

    @Test
    void aRequestWhileSlowRequestsAreNotLogged() {
        assertThat(allocatedBy(false)).isLessThan(ROUNDS); // less than a byte for each: what asking takes
        assertThat(counters.snapshot().packetsSent()).containsEntry("sql_batch", 2L * ROUNDS);
    }

    @Test
    void aRequestWhileTheyAre() {
        assertThat(allocatedBy(true)).isLessThan(ROUNDS);
        assertThat(inspector.statement().statement()).hasSize(2 * "SELECT a FROM t WHERE b = 'x'".length());
    }

    private long allocatedBy(boolean slowLog) {
        relay(slowLog); // classes are loaded, arrays have grown
        long before = threads.getCurrentThreadAllocatedBytes();
        relay(slowLog);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void relay(boolean slowLog) {
        for (int i = 0; i < ROUNDS; i++) {
            inspector.begin(request, ProcedureRules.SHARE, null, true, slowLog);
            inspector.read(request);
            counters.countSent(request);
            tracker.beginResponse();
            tracker.onPacket(response);
            counters.packetsReceived++;
            counters.resets.add(RelayCounters.Reset.WITH_REQUEST, 1);
        }
    }
}

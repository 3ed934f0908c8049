package dev.comporta.proxy.prepared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.proxy.prepared.PreparedText.Kind;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.TextFindings;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.request.SystemProcedure;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client may hold, and what all clients of a bucket may. */
@Timeout(60)
class ClientHandlesTest {
    private static final TextFindings HARMLESS = new TextFindings(0, false, true, false, false);
    private static final PreparedIn HERE = new PreparedIn("AppDB", true, true);

    private final PreparedTexts bucket = new PreparedTexts();

    private static PreparedText text(String sql) {
        return PreparedText.of(
                Kind.STATEMENT,
                sql.getBytes(StandardCharsets.UTF_16LE),
                new byte[0],
                HERE,
                CursorOptions.NONE,
                HARMLESS,
                ProcedureRules.SHARE);
    }

    private ClientHandles client() {
        return new ClientHandles(bucket, false);
    }

    /** @return how many statements of 100 KB were held before one pinned */
    private int fill(ClientHandles client, String name) {
        String letters = "x".repeat(50_000);
        int held = 0;
        while (!client.pin()) {
            client.give(client.hold(text(name + held + letters)));
            held++;
        }
        return held - 1;
    }

    @Test
    void beyondFourMebibytesAClientPinsAndOthersDoNot() {
        ClientHandles greedy = client();
        assertThat(fill(greedy, "a")).isBetween(40, 42);
        assertThat(bucket.snapshot().bytes()).isLessThanOrEqualTo(PreparedTexts.MOST_BYTES_PER_CLIENT);
        assertThat(bucket.snapshot().bound()).isOne();
        ClientHandles other = client();
        other.give(other.hold(text("SELECT 1")));
        assertThat(other.pin()).isFalse();
        greedy.clear();
        assertThat(greedy.pin()).isFalse();
        other.clear();
        assertThat(bucket.snapshot().bytes()).isZero();
    }

    @Test
    void beyondSixtyFourMebibytesOfABucketWhoeverComesPins() {
        List<ClientHandles> clients = new ArrayList<>();
        int held;
        do {
            ClientHandles next = client();
            clients.add(next);
            held = fill(next, "client " + clients.size() + " ");
        } while (held >= 40 && clients.size() < 40);
        assertThat(clients).hasSizeBetween(16, 17);
        assertThat(bucket.snapshot().bytes()).isLessThanOrEqualTo(PreparedTexts.MOST_BYTES);
        ClientHandles late = client();
        assertThat(fill(late, "late ")).isZero();
        clients.getFirst().clear();
        late.clear();
        assertThat(fill(late, "again ")).isPositive();
    }

    @Test
    void whatIsKnownAlreadyTakesNoMemoryOfTheBucket() {
        ClientHandles first = client();
        ClientHandles second = client();
        PreparedText held = first.hold(text("SELECT 1"));
        long bytes = bucket.snapshot().bytes();
        assertThat(second.hold(text("SELECT 1"))).isSameAs(held);
        assertThat(bucket.snapshot().bytes()).isEqualTo(bytes);
    }

    /** What this thread has computed for: the machine may be busy with others. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void thousandsOfHandlesAreFoundAndGivenBackInAnyOrder() {
        ClientHandles client = new ClientHandles(bucket, true);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < HandleTable.MOST_AT_ONCE; i++) {
            numbers.add(client.give(client.hold(text("SELECT " + i))));
        }
        assertThat(numbers).doesNotHaveDuplicates();
        PreparedSnapshot full = bucket.snapshot();
        assertThatThrownBy(() -> client.give(client.hold(text("one more"))))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("sp_unprepare");
        assertThat(bucket.snapshot())
                .as("nothing is held for a handle that was not given")
                .isEqualTo(full);
        long before = cpuNanos();
        for (int i = 0; i < numbers.size(); i += 2) {
            client.remove(numbers.get(i));
        }
        for (int i = 0; i < numbers.size(); i++) {
            boolean there = client.find(SystemProcedure.EXECUTE, numbers.get(i)) != null;
            assertThat(there).isEqualTo(i % 2 == 1);
        }
        numbers.forEach(client::remove);
        assertThat(Duration.ofNanos(cpuNanos() - before))
                .as("in one message a client can give back as many, and the others wait")
                .isLessThan(Duration.ofSeconds(5));
        client.remove(numbers.getFirst());
        int next = client.give(client.hold(text("SELECT 'again'")));
        assertThat(numbers).doesNotContain(next);
    }
}

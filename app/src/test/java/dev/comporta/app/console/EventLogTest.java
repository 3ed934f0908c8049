package dev.comporta.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private final EventLog log = new EventLog(() -> Instant.EPOCH);

    @Test
    void aFloodOfRefusedLoginsPushesNothingElseOut() {
        log.bucketDown("one", "no answer");
        for (int i = 0; i < 100_000; i++) {
            log.loginRefused("one", "user" + i, "10.0.0.1", "18456 Login failed.");
        }
        List<Event> events = log.events();
        assertThat(events).hasSize(EventLog.REFUSED_LOGINS + 1);
        assertThat(events.getFirst().kind()).isEqualTo(Event.Kind.BUCKET_DOWN);
        assertThat(events.getLast().login()).isEqualTo("user99999");
    }

    @Test
    void equalRefusalsAreOneEventThatCounts() {
        for (int i = 0; i < 5000; i++) {
            log.loginRefused("one", "sa", "10.0.0.1", "18456 Login failed.");
            log.loginRefused("one", "sa", "10.0.0.2", "18456 Login failed.");
        }
        assertThat(log.events()).extracting(Event::times).containsExactly(5000, 5000);
    }

    @Test
    void ofAllButRefusedLoginsTheLastAreKept() {
        for (int i = 0; i < 5000; i++) {
            log.add(i % 2 == 0 ? Event.Kind.COMMAND : Event.Kind.RELOAD, "", "", "", "command " + i);
        }
        int kept = EventLog.SIZE - EventLog.REFUSED_LOGINS;
        assertThat(log.events()).hasSize(kept);
        assertThat(log.events().getFirst().message()).isEqualTo("command " + (5000 - kept));
        assertThat(log.events().getLast().message()).isEqualTo("command 4999");
        assertThat(log.events()).extracting(Event::id).isSorted();
    }

    @Test
    void whatManyThreadsAddIsThereWhenTheyAreDone() {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                int thread = i;
                threads.execute(() -> {
                    for (int n = 0; n < 100; n++) {
                        log.add(Event.Kind.COMMAND, "", "", "", thread + " " + n);
                    }
                });
            }
        }
        assertThat(log.events()).hasSize(400);
    }
}

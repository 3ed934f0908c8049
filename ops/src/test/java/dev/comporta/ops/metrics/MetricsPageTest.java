package dev.comporta.ops.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.work.BackgroundWork;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MetricsPageTest {
    private static final Observation NOTHING = new Observation(
            Instant.EPOCH,
            Observation.Phase.RUNNING,
            "one",
            Duration.ZERO,
            List.of(),
            Optional.empty(),
            Observation.ReloadCounts.NONE,
            Observation.DataPlaneSight.NONE);

    /** On a virtual one, the JDK's BufferedWriter begins small and is copied for each word: 27 MB for a page of 40 KB. */
    @Test
    void pageIsMadeOnAPlatformThread() throws Exception {
        AtomicReference<Thread> maker = new AtomicReference<>();
        MetricsPage page = new MetricsPage(
                () -> {
                    maker.set(Thread.currentThread());
                    return NOTHING;
                },
                "any",
                false,
                new BackgroundWork(1));
        FutureTask<HttpResponse> caller = new FutureTask<>(() -> page.routes()
                .handle(new HttpRequest("GET", "/metrics", Map.of(), Map.of(), new byte[0], "127.0.0.1", Map.of())));
        Thread.ofVirtual().start(caller);
        assertThat(caller.get().status()).isEqualTo(HttpResponse.OK);
        assertThat(maker.get().isVirtual()).isFalse();
    }
}

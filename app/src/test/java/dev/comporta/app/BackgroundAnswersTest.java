package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who looks at an instance is answered where that gives way to its event loops. */
@Timeout(90)
class BackgroundAnswersTest {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path directory;

    private RunningProxy start() throws Exception {
        return RunningProxy.start(
                directory,
                "instance_id: one, admin: {username: ops, password: Open-1, token: " + TOKEN + "}",
                "encrypt: off, max_connections: 2");
    }

    private static <T> FutureTask<T> begin(Callable<T> what) {
        FutureTask<T> task = new FutureTask<>(what);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** More than there are turns: those who come later wait for all of them. */
    private static void takeAllTurns(Instance instance, CountDownLatch free) {
        List<Thread> takers = Stream.generate(() -> Thread.ofVirtual()
                        .start(() -> instance.work().call(() -> {
                            try {
                                return free.await(1, TimeUnit.MINUTES);
                            } catch (InterruptedException e) {
                                return false;
                            }
                        })))
                .limit(Runtime.getRuntime().availableProcessors())
                .toList();
        await().until(() -> takers.stream().allMatch(taker -> taker.getState() == Thread.State.WAITING));
    }

    private static RawClient console(Instance instance) throws Exception {
        RawClient console = new RawClient(instance.proxy().port());
        console.sendLogin(
                login -> login.userName("ops").password(Secret.ofText("Open-1")).database("comporta"));
        console.response().release();
        return console;
    }

    @Test
    void consoleApiAndMetricsWaitForTheirTurnAndHealthDoesNot() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        try (RunningProxy running = start();
                AutoCloseable _ = free::countDown;
                RawClient console = console(running.instance)) {
            takeAllTurns(running.instance, free);
            FutureTask<List<String>> rows = begin(() -> console.answerTo("SELECT server_name FROM sys.buckets"));
            FutureTask<ApiCaller.Answer> api =
                    begin(() -> new ApiCaller(running.instance, TOKEN).get("/api/v1/buckets"));
            FutureTask<Exposition> metrics = begin(() -> Http.scrape(running.instance));
            // In the time of so many answers the others would have theirs, if they did not wait.
            for (int i = 0; i < 20; i++) {
                assertThat(Http.health(running.instance).statusCode()).isEqualTo(200);
                assertThat(Http.get(running.instance.healthPort(), "/health/live")
                                .statusCode())
                        .isEqualTo(200);
            }
            assertThat(Stream.of(rows, api, metrics)).noneMatch(FutureTask::isDone);
            free.countDown();
            assertThat(rows.get()).contains("ROW [one]");
            assertThat(api.get().status()).isEqualTo(200);
            assertThat(metrics.get()).isNotNull();
        }
    }

    @Test
    void aCommandThatWaitsKeepsNobodyFromBeingAnswered() throws Exception {
        try (RunningProxy running = start();
                RawClient holder = RawClient.loggedIn(running.instance.proxy().port());
                RawClient console = console(running.instance)) {
            assertThat(holder.answerTo("BEGIN TRANSACTION")).isNotEmpty();
            List<FutureTask<ApiCaller.Answer>> pauses = Stream.generate(() ->
                            begin(() -> new ApiCaller(running.instance, TOKEN).post("/api/v1/buckets/one/pause", "")))
                    .limit(Runtime.getRuntime().availableProcessors())
                    .toList();
            await().untilAsserted(() -> assertThat(console.answerTo("SELECT paused FROM sys.remote_pool_stats"))
                    .contains("ROW [true]"));
            assertThat(pauses).noneMatch(FutureTask::isDone);
            assertThat(new ApiCaller(running.instance, TOKEN)
                            .post("/api/v1/buckets/one/resume", "")
                            .status())
                    .isEqualTo(200);
            for (FutureTask<ApiCaller.Answer> pause : pauses) {
                assertThat(pause.get().refusal()).contains("was resumed");
            }
        }
    }
}

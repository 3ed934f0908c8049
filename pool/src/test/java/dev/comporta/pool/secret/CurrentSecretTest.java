package dev.comporta.pool.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CurrentSecretTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private long now;
    private int asked;
    private Duration goodFor = Duration.ofMinutes(10);
    private String next = "one";
    private final CurrentSecret<String> secret = new CurrentSecret<>(
            () -> {
                asked++;
                if (next.isEmpty()) {
                    throw new IOException("no answer");
                }
                return new SecretSource.Issued<>(next, goodFor);
            },
            tasks::add,
            () -> now);

    private String get() {
        CompletableFuture<String> answer = secret.get();
        runAll();
        return answer.join();
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void isUsedUntilShortlyBeforeItExpires() {
        assertThat(get()).isEqualTo("one");
        next = "two";
        pass(Duration.ofMinutes(9));
        assertThat(get()).isEqualTo("one");
        pass(Duration.ofSeconds(31));
        assertThat(get()).isEqualTo("two");
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void isAskedForEachTimeWithoutATimeToLive() {
        goodFor = Duration.ZERO;
        get();
        next = "two";
        assertThat(get()).isEqualTo("two");
    }

    @Test
    void oneRequestIsUnderWayForAll() {
        CompletableFuture<String> first = secret.get();
        CompletableFuture<String> second = secret.get();
        assertThat(tasks).hasSize(1);
        assertThat(first).isNotDone();
        runAll();
        assertThat(first.join()).isEqualTo("one");
        assertThat(second.join()).isEqualTo("one");
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void sourceThatFailsIsLeftAloneForGrowingPauses() {
        next = "";
        assertThat(failure()).isEqualTo("no answer");
        assertThat(failure()).as("at once").isEqualTo("no answer");
        assertThat(asked).isEqualTo(1);
        pass(Duration.ofMillis(250));
        failure();
        pass(Duration.ofMillis(250));
        failure();
        assertThat(asked).as("the second pause is longer").isEqualTo(2);
        pass(Duration.ofMillis(250));
        next = "one";
        assertThat(get()).isEqualTo("one");
        assertThat(asked).isEqualTo(3);
    }

    private String failure() {
        CompletableFuture<String> answer = secret.get();
        runAll();
        return answer.exceptionNow().getMessage();
    }

    @Test
    void oneThatTheServerRejectsIsAskedForAnewOnce() {
        get();
        next = "two";
        assertThat(insteadOf("one")).isEqualTo("two");
        next = "three";
        assertThat(insteadOf("two")).as("the new one is rejected, too").isEqualTo("two");
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void oneThatWasAcceptedMayChangeAgain() {
        get();
        next = "two";
        insteadOf("one");
        secret.accepted("two");
        next = "three";
        assertThat(insteadOf("two")).isEqualTo("three");
    }

    @Test
    void whoWasRejectedWithAnOldOneGetsTheNewOneWithoutAsking() {
        get();
        next = "two";
        insteadOf("one");
        assertThat(insteadOf("one")).isEqualTo("two");
        assertThat(asked).isEqualTo(2);
    }

    private String insteadOf(String rejected) {
        CompletableFuture<String> answer = secret.insteadOf(rejected);
        runAll();
        return answer.join();
    }
}

package dev.comporta.ops.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedAnswersTest {
    private record Asker(Thread thread, FutureTask<Integer> answer) {}

    private final BackgroundWork work = new BackgroundWork(1);
    private final SharedAnswers<String, Integer> answers = new SharedAnswers<>(work);
    private final AtomicInteger made = new AtomicInteger();

    private Asker ask(String question, Supplier<Integer> make) {
        FutureTask<Integer> answer = new FutureTask<>(() -> answers.get(question, make));
        Thread thread = Thread.ofVirtual().start(answer);
        return new Asker(thread, answer);
    }

    /** Asks, and returns when the question is in line. */
    private Asker askAndWait(String question, Supplier<Integer> make) {
        Asker asker = ask(question, make);
        await().atMost(30, SECONDS).until(() -> asker.thread.getState() == Thread.State.WAITING);
        return asker;
    }

    @Test
    void thoseWhoAskBeforeTheMakingBeginsShareOneAnswer() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        work.execute(() -> {
            taken.countDown();
            BackgroundWorkTest.await(free);
        });
        BackgroundWorkTest.await(taken);
        List<Asker> askers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            askers.add(askAndWait("metrics", made::incrementAndGet));
        }
        Asker other = askAndWait("clients", () -> -1);
        free.countDown();
        for (Asker asker : askers) {
            assertThat(asker.answer.get()).isEqualTo(1);
        }
        assertThat(other.answer.get()).isEqualTo(-1);
        assertThat(made).hasValue(1);
    }

    @Test
    void noAnswerIsOlderThanItsQuestion() throws Exception {
        AtomicInteger state = new AtomicInteger(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Asker first = ask("metrics", () -> {
            int seen = state.get();
            begun.countDown();
            BackgroundWorkTest.await(mayEnd);
            return seen;
        });
        BackgroundWorkTest.await(begun);
        state.set(2);
        Asker second = askAndWait("metrics", state::get);
        mayEnd.countDown();
        assertThat(first.answer.get()).isEqualTo(1);
        assertThat(second.answer.get()).isEqualTo(2);
    }

    @Test
    void failureReachesTheCallerAndIsNotKept() {
        assertThatThrownBy(() -> answers.get("metrics", () -> {
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no");
        assertThat(answers.get("metrics", () -> 1)).isEqualTo(1);
    }
}

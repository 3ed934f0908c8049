package dev.comporta.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenStatementsTest {
    private final OpenStatements open = new OpenStatements();

    /** Counts how often it is closed. */
    private static final class Made implements AutoCloseable {
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static List<Made> make(int count) {
        List<Made> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Made());
        }
        return all;
    }

    private void endLoan() {
        open.removeAll(this, (_, made) -> ((Made) made).close());
    }

    private static List<Integer> closings(List<Made> all) {
        return all.stream().map(made -> made.closed.get()).distinct().toList();
    }

    @Test
    void whatIsLeftIsClosedHoweverManyThereAre() {
        List<Made> left = make(100);
        List<Made> closed = make(100);
        for (int i = 0; i < 100; i++) {
            open.add(left.get(i));
            open.add(closed.get(i));
        }
        closed.forEach(made -> assertThat(open.remove(made)).isTrue());
        endLoan();
        endLoan();
        assertThat(closings(left)).containsExactly(1);
        assertThat(closings(closed)).containsExactly(0);
    }

    @Test
    void whatWasTakenOutIsNotToBeClosedAgain() {
        for (Made made : make(20)) {
            open.add(made);
            assertThat(open.remove(made)).isTrue();
            assertThat(open.remove(made)).isFalse();
        }
        Made made = new Made();
        open.add(made);
        endLoan();
        assertThat(open.remove(made)).isFalse();
    }

    /** A client may close its connection while its other threads make and close statements. */
    @Test
    void eachIsClosedOnceWhoeverClosesIt() throws Exception {
        int rounds = 300_000;
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger closedAgain = new AtomicInteger();
        AtomicInteger running = new AtomicInteger(3);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                all.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        Made made = new Made();
                        open.add(made);
                        if (open.remove(made)) {
                            count(made, closed, closedAgain);
                        }
                    }
                    running.decrementAndGet();
                }));
            }
            all.add(threads.submit(() -> {
                do {
                    open.removeAll(this, (_, made) -> count((Made) made, closed, closedAgain));
                } while (running.get() > 0);
            }));
            for (Future<?> one : all) {
                one.get(2, TimeUnit.MINUTES);
            }
        }
        open.removeAll(this, (_, made) -> count((Made) made, closed, closedAgain));
        assertThat(closed.get()).isEqualTo(3 * rounds);
        assertThat(closedAgain.get()).isZero();
    }

    private static void count(Made made, AtomicInteger closed, AtomicInteger closedAgain) {
        made.close();
        (made.closed.get() == 1 ? closed : closedAgain).incrementAndGet();
    }
}

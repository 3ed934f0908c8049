package dev.comporta.ops.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class BackgroundWorkTest {
    private static final int NICE_FIELD = 16; // of /proc/PID/stat, behind the name in parentheses
    private static final int LOWEST = 19;

    private final BackgroundWork one = new BackgroundWork(1);

    static <T> Future<T> begin(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** The nice value of the calling thread, which must be a platform thread. */
    private static int nice() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE_FIELD]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void workHasALowerPriorityThanOtherThreads() {
        int usual = nice();
        assertThat(one.call(BackgroundWorkTest::nice)).isEqualTo(Math.min(LOWEST, usual + 10));
        assertThat(nice()).isEqualTo(usual);
    }

    @Test
    void noMoreRunAtATimeThanThereAreTurns() throws Exception {
        BackgroundWork two = new BackgroundWork(2);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(Thread.ofVirtual()
                    .start(() -> two.call(() -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        await(mayEnd);
                        return running.decrementAndGet();
                    })));
        }
        Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(() -> running.get() >= 2
                        && callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));
        mayEnd.countDown();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(most).hasValue(2);
    }

    @Test
    void workThatWaitsForAnotherGivesUpItsTurn() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        Future<Boolean> waiting = begin(() -> one.call(() -> BackgroundWork.awaiting(() -> {
            waits.countDown();
            await(done);
            return true;
        })));
        await(waits);
        one.call(() -> {
            done.countDown();
            return true;
        });
        assertThat(waiting.get()).isTrue();
    }

    @Test
    void longWorkGivesWayToOthers() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean othersRan = new AtomicBoolean();
        Future<Boolean> heavy = begin(() -> one.call(() -> {
            begun.countDown();
            while (!othersRan.get()) {
                BackgroundWork.giveWay();
            }
            return true;
        }));
        await(begun);
        one.execute(() -> othersRan.set(true));
        assertThat(heavy.get()).isTrue();
    }

    @Test
    void failureReachesTheCallerAndEndsTheTurn() {
        assertThatThrownBy(() -> one.call(() -> {
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no");
        assertThat(one.call(() -> 1)).isEqualTo(1);
    }

    @Test
    void workThatCallsMoreWorkGoesOnInItsTurn() {
        assertThat(one.call(() -> one.call(() -> 1))).isEqualTo(1);
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

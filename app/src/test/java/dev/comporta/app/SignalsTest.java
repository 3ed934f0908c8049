package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalsTest {
    @Test
    void aHangupIsHeardEachTime() throws Exception {
        AtomicInteger heard = new AtomicInteger();
        Signals.onHangup(heard::incrementAndGet);
        hangUp();
        await().until(() -> heard.get() == 1);
        hangUp();
        await().until(() -> heard.get() == 2);
    }

    private static void hangUp() throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", "-HUP", Long.toString(ProcessHandle.current().pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }
}

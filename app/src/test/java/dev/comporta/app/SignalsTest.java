package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalsTest {
    /** Not SIGHUP: under nohup the JVM has it ignored, and means to. */
    private static final String SIGNAL = "WINCH";

    @Test
    void aSignalIsHeardEachTime() throws Exception {
        AtomicInteger heard = new AtomicInteger();
        Signals.on(SIGNAL, heard::incrementAndGet);
        send();
        await().until(() -> heard.get() == 1);
        send();
        await().until(() -> heard.get() == 2);
    }

    private static void send() throws Exception {
        Process kill = new ProcessBuilder(
                        "kill",
                        "-" + SIGNAL,
                        Long.toString(ProcessHandle.current().pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }
}

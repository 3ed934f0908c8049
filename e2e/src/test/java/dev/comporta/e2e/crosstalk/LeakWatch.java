package dev.comporta.e2e.crosstalk;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.e2e.HeardLog;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;

/** Hears Netty's leak detector out: a buffer that nobody released and nobody can release any more. */
final class LeakWatch implements AutoCloseable {
    private final HeardLog heard;

    LeakWatch() {
        tell(); // what others have leaked before
        heard = new HeardLog(ResourceLeakDetector.class.getName());
    }

    /** Leaks are found by the garbage collector and told with the next buffers that are made. */
    private static void tell() {
        System.gc();
        for (int i = 0; i < 100; i++) {
            PooledByteBufAllocator.DEFAULT.buffer(16).release();
        }
    }

    void assertNone() {
        tell();
        assertThat(heard.lines())
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(message -> message.contains("LEAK"));
    }

    @Override
    public void close() {
        heard.close();
    }
}

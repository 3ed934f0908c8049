package dev.comporta.e2e.crosstalk;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.slf4j.LoggerFactory;

/** Hears Netty's leak detector out: a buffer that nobody released and nobody can release any more. */
final class LeakWatch implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();

    LeakWatch() {
        tell(); // what others have leaked before
        heard.start();
        logger.addAppender(heard);
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
        assertThat(heard.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(message -> message.contains("LEAK"));
    }

    @Override
    public void close() {
        logger.detachAppender(heard);
    }
}

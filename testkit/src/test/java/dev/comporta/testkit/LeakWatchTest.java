package dev.comporta.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class LeakWatchTest {
    @Test
    void bufferThatNobodyReleasesIsReported() {
        try (LeakWatch watch = new LeakWatch()) {
            forgetABuffer();
            assertThatThrownBy(watch::assertNone).hasMessageContaining("forgotten by the test");
        }
    }

    @Test
    void leakFromBeforeIsNotTheWatchs() {
        forgetABuffer();
        try (LeakWatch watch = new LeakWatch()) {
            watch.assertNone();
        }
    }

    @Test
    void releasedBufferIsNoLeak() {
        try (LeakWatch watch = new LeakWatch()) {
            PooledByteBufAllocator.DEFAULT.buffer(16).release();
            watch.assertNone();
        }
    }

    private static void forgetABuffer() {
        PooledByteBufAllocator.DEFAULT.buffer(16).touch("forgotten by the test, at " + System.nanoTime());
    }
}

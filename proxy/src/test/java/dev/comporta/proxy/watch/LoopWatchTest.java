package dev.comporta.proxy.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.stats.HistogramSnapshot;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class LoopWatchTest {
    @Test
    void aLoopThatIsStuckIsSilent() throws Exception {
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        CountDownLatch freed = new CountDownLatch(1);
        try {
            LoopWatch watch = new LoopWatch(acceptor, loops);
            var stuck = loops.next().submit(() -> freed.await(60, TimeUnit.SECONDS));
            await().until(() -> watch.silence().compareTo(Duration.ofSeconds(2)) > 0);
            freed.countDown();
            assertThat(stuck.get()).isTrue();
            await().until(() -> watch.silence().compareTo(Duration.ofSeconds(1)) < 0);
            assertThat(watch.ended()).isNotDone();
        } finally {
            freed.countDown();
            end(acceptor, loops);
        }
    }

    @Test
    void aLoopThatEndsByAnErrorIsToldOf() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, breaking(broken));
        try {
            LoopWatch watch = new LoopWatch(acceptor, loops);
            broken.set(true);
            loops.next().execute(() -> {});
            assertThat(watch.ended().get(20, TimeUnit.SECONDS)).contains("has ended");
        } finally {
            end(acceptor, loops);
        }
    }

    @Test
    void aLoopThatIsToEndIsNot() throws Exception {
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        LoopWatch watch = new LoopWatch(acceptor, loops);
        watch.close();
        CountDownLatch told = new CountDownLatch(3);
        for (EventLoopGroup group : List.of(acceptor, loops)) {
            group.forEach(loop -> loop.terminationFuture().addListener(_ -> told.countDown()));
        }
        end(acceptor, loops);
        told.await(); // listeners are called in their order, and the watch's was there before
        assertThat(watch.ended()).isNotDone();
    }

    private static void end(EventLoopGroup... groups) {
        for (EventLoopGroup group : groups) {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Test
    void aStallShowsInTheLagOfItsLoopAlone() throws Exception {
        EventLoopGroup acceptor = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        CountDownLatch freed = new CountDownLatch(1);
        try {
            LoopWatch watch = new LoopWatch(acceptor, loops);
            assertThat(watch.lags()).containsOnlyKeys("accept-0", "loop-0", "loop-1");
            CountDownLatch begun = new CountDownLatch(1);
            var stuck = loops.next().submit(() -> {
                begun.countDown();
                return freed.await(60, TimeUnit.SECONDS);
            });
            begun.await();
            // On a busy machine it may have had a beat or two before.
            long before = watch.lags().get("loop-0").count();
            long others = watch.lags().get("loop-1").count();
            await().until(() -> watch.lags().get("loop-1").count() >= others + 30);
            assertThat(watch.lags().get("loop-0").count()).isEqualTo(before);
            long missed = watch.lags().get("loop-1").count() - others;
            freed.countDown();
            assertThat(stuck.get()).isTrue();
            // It was stuck for these beats of the other: three seconds or more, each beat of which is made up for.
            await().until(() -> watch.lags().get("loop-0").count() >= before + missed);
            HistogramSnapshot late = watch.lags().get("loop-0");
            assertThat(late.sumNanos() - watch.lags().get("loop-1").sumNanos())
                    .as("20 beats, by a second each and more; a machine that pauses holds up both")
                    .isGreaterThan(20_000_000_000L);
            assertThat(late.maxNanos()).isGreaterThan(2_000_000_000L);
        } finally {
            freed.countDown();
            end(acceptor, loops);
        }
    }

    /** Like a loop that finds no memory for its next read. */
    private static IoHandlerFactory breaking(AtomicBoolean broken) {
        IoHandlerFactory good = NioIoHandler.newFactory();
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                IoHandler handler = good.newHandler(executor);
                return (IoHandler) java.lang.reflect.Proxy.newProxyInstance(
                        IoHandler.class.getClassLoader(), new Class<?>[] {IoHandler.class}, (_, method, arguments) -> {
                            if (method.getName().equals("run") && broken.get()) {
                                throw new OutOfMemoryError("as a test has it");
                            }
                            return method.invoke(handler, arguments);
                        });
            }
        };
    }
}

package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopWatchTest {
    @Test
    void aLoopThatIsStuckIsSilent() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        CountDownLatch freed = new CountDownLatch(1);
        try {
            LoopWatch watch = new LoopWatch(loops);
            var stuck = loops.next().submit(() -> freed.await(20, TimeUnit.SECONDS));
            await().until(() -> watch.silence().compareTo(Duration.ofSeconds(2)) > 0);
            freed.countDown();
            assertThat(stuck.get()).isTrue();
            await().until(() -> watch.silence().compareTo(Duration.ofSeconds(1)) < 0);
            assertThat(watch.ended()).isNotDone();
        } finally {
            freed.countDown();
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Test
    void aLoopThatEndsByAnErrorIsToldOf() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, breaking(broken));
        try {
            LoopWatch watch = new LoopWatch(loops);
            broken.set(true);
            loops.next().execute(() -> {});
            assertThat(watch.ended().get(20, TimeUnit.SECONDS)).contains("has ended");
        } finally {
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Test
    void aLoopThatIsToEndIsNot() {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        LoopWatch watch = new LoopWatch(loops);
        watch.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        assertThat(watch.ended()).isNotDone();
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

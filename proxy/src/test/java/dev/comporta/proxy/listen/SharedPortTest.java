package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class SharedPortTest {
    /** That the kernel's hash chooses the same of two sockets for all of them does not happen. */
    private static final int MANY = 60;

    private final List<EventLoopGroup> groups = new ArrayList<>();

    /** One that listens, and how many it has accepted. */
    private record Place(Channel channel, SharedPort port, AtomicInteger accepted) {}

    @AfterEach
    void stop() {
        groups.forEach(group -> group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly());
    }

    private Place listen(Transport transport, int port) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.ioHandlers());
        groups.add(group);
        AtomicInteger accepted = new AtomicInteger();
        Channel channel = new ServerBootstrap()
                .group(group)
                .channel(transport.serverSocket())
                .option(UnixChannelOption.SO_REUSEPORT, true)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }

                    @Override
                    public void handlerAdded(ChannelHandlerContext ctx) {
                        accepted.incrementAndGet();
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .syncUninterruptibly()
                .channel();
        return new Place(channel, SharedPort.join(channel), accepted);
    }

    private static void connectMany(Place one, Place other) throws IOException {
        int before = one.accepted.get() + other.accepted.get();
        for (int i = 0; i < MANY; i++) {
            new Socket(InetAddress.getLoopbackAddress(), portOf(one)).close();
        }
        await().until(() -> one.accepted.get() + other.accepted.get() == before + MANY);
    }

    private static int portOf(Place place) {
        return ((InetSocketAddress) place.channel.localAddress()).getPort();
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING"})
    void whoHandsOverGetsNobodyAndTheNextTwoShareAgain(Transport transport) throws Exception {
        assumeTrue(transport.isAvailable());
        Place first = listen(transport, 0);
        first.port.handOver(); // alone: who comes is still served
        new Socket(InetAddress.getLoopbackAddress(), portOf(first)).close();
        await().until(() -> first.accepted.get() == 1);

        Place second = listen(transport, portOf(first));
        connectMany(first, second);
        assertThat(first.accepted.get()).as("before the hand-over").isGreaterThan(1);
        assertThat(second.accepted.get()).as("before the hand-over").isPositive();

        first.port.handOver();
        int had = first.accepted.get();
        connectMany(first, second);
        assertThat(first.accepted.get()).isEqualTo(had);

        first.channel.close().syncUninterruptibly();
        Place third = listen(transport, portOf(second));
        connectMany(second, third);
        assertThat(third.accepted.get()).isBetween(1, MANY - 1);
    }
}

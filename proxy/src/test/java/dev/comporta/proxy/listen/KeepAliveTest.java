package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class KeepAliveTest {
    private static final KeepAlive UNUSUAL =
            new KeepAlive(Duration.ofSeconds(11), Duration.ofSeconds(3), 4, Duration.ofSeconds(17));

    @Test
    void byDefaultAPeerThatVanishedIsFoundWithinAMinute() {
        KeepAlive defaults = KeepAlive.DEFAULTS;
        Duration silent = defaults.idle().plus(defaults.interval().multipliedBy(defaults.count()));
        assertThat(silent).isLessThan(Duration.ofMinutes(1));
        assertThat(defaults.userTimeout()).isPositive().isLessThan(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void bothSidesHaveTheOptionsThatAreAskedFor(Transport transport) throws Exception {
        assumeTrue(transport.isAvailable());
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, transport.ioHandlers());
        try {
            CompletableFuture<Channel> accepted = new CompletableFuture<>();
            ServerBootstrap server = new ServerBootstrap()
                    .group(loops)
                    .channel(transport.serverSocket())
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel child) {
                            accepted.complete(child);
                        }
                    });
            transport.keepAlive(server, UNUSUAL);
            Channel listening = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .sync()
                    .channel();
            Bootstrap client = new Bootstrap()
                    .group(loops)
                    .channel(transport.socket())
                    .handler(new ChannelInboundHandlerAdapter());
            transport.keepAlive(client, UNUSUAL);
            Channel dialled = client.connect(listening.localAddress()).sync().channel();
            assertOptions(dialled, transport.options(UNUSUAL));
            assertOptions(accepted.get(20, TimeUnit.SECONDS), transport.options(UNUSUAL));
            assertThat(transport.options(UNUSUAL)).hasSize(transport == Transport.NIO ? 4 : 5);
            Map<String, Object> named = new HashMap<>();
            transport.options(UNUSUAL).forEach((option, value) -> named.put(lastWord(option), value));
            assertThat(named)
                    .containsEntry("SO_KEEPALIVE", true)
                    .containsEntry("TCP_KEEPIDLE", 11)
                    .containsEntry(transport == Transport.NIO ? "TCP_KEEPINTERVAL" : "TCP_KEEPINTVL", 3)
                    .containsEntry(transport == Transport.NIO ? "TCP_KEEPCOUNT" : "TCP_KEEPCNT", 4);
            if (transport != Transport.NIO) {
                assertThat(named).containsEntry("TCP_USER_TIMEOUT", 17_000);
            }
        } finally {
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Some begin with the name of a class. */
    private static String lastWord(ChannelOption<?> option) {
        return option.name().replaceFirst(".*[#.]", "");
    }

    private static void assertOptions(Channel channel, Map<ChannelOption<?>, Object> expected) {
        expected.forEach((option, value) -> assertThat((Object) channel.config().getOption(option))
                .as("%s", option)
                .isEqualTo(value));
    }
}

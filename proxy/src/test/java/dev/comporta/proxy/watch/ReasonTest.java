package dev.comporta.proxy.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.listen.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReasonTest {
    private static Stream<Transport> transports() {
        return Arrays.stream(Transport.values()).filter(Transport::isAvailable);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aRefusedConnectIsToldInWords(Transport transport) throws IOException {
        int free;
        try (ServerSocket closedSoon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = closedSoon.getLocalPort();
        }
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.ioHandlers());
        Throwable cause = new Bootstrap()
                .group(loop)
                .channel(transport.socket())
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), free))
                .awaitUninterruptibly()
                .cause();
        assertThat(Reason.of(cause)).startsWith("Connection refused");
        loop.shutdownGracefully().awaitUninterruptibly();
    }
}

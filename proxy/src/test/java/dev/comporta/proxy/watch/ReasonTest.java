package dev.comporta.proxy.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.listen.Transport;
import dev.comporta.testkit.ClosedPort;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.ioHandlers());
        try (ClosedPort nobody = new ClosedPort()) {
            Throwable cause = new Bootstrap()
                    .group(loop)
                    .channel(transport.socket())
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), nobody.port()))
                    .awaitUninterruptibly()
                    .cause();
            assertThat(Reason.of(cause)).startsWith("Connection refused");
        }
        loop.shutdownGracefully().awaitUninterruptibly();
    }
}

package dev.comporta.bench.load;

import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** epoll if available, otherwise NIO. */
public record Sockets(Class<? extends Channel> client, Class<? extends ServerChannel> server) {
    public static Sockets best() {
        return Epoll.isAvailable()
                ? new Sockets(EpollSocketChannel.class, EpollServerSocketChannel.class)
                : new Sockets(NioSocketChannel.class, NioServerSocketChannel.class);
    }

    /** Connects a client to a server at the loopback address. */
    Channel connect(EventLoopGroup loops, int port, Supplier<ChannelHandler> client, @Nullable SslContext tls) {
        return new Bootstrap()
                .group(loops)
                .channel(this.client)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        channel.pipeline()
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(client.get());
                    }
                })
                .connect("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
    }

    public static EventLoopGroup loops(int threads) {
        return new MultiThreadIoEventLoopGroup(
                threads, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }
}

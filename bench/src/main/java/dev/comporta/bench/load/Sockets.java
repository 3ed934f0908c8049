package dev.comporta.bench.load;

import io.netty.channel.Channel;
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

/** epoll where there is one, NIO elsewhere. */
public record Sockets(Class<? extends Channel> client, Class<? extends ServerChannel> server) {
    public static Sockets best() {
        return Epoll.isAvailable()
                ? new Sockets(EpollSocketChannel.class, EpollServerSocketChannel.class)
                : new Sockets(NioSocketChannel.class, NioServerSocketChannel.class);
    }

    public static EventLoopGroup loops(int threads) {
        return new MultiThreadIoEventLoopGroup(
                threads, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }
}

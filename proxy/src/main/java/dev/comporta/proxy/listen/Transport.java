package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/** How sockets are served: by the kernel's own interfaces where there are any, by NIO anywhere. */
public enum Transport {
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class),
    IO_URING(IoUringSocketChannel.class, IoUringServerSocketChannel.class),
    NIO(NioSocketChannel.class, NioServerSocketChannel.class);

    private final Class<? extends Channel> socket;
    private final Class<? extends ServerChannel> serverSocket;

    Transport(Class<? extends Channel> socket, Class<? extends ServerChannel> serverSocket) {
        this.socket = socket;
        this.serverSocket = serverSocket;
    }

    /** epoll where it is to be had: io_uring is fast too, but container runtimes often forbid it. */
    public static Transport best() {
        return EPOLL.isAvailable() ? EPOLL : NIO;
    }

    public boolean isAvailable() {
        return switch (this) {
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
            case NIO -> true;
        };
    }

    /** Why it is not available; empty when it is. */
    public String whyNotAvailable() {
        Throwable cause = switch (this) {
            case EPOLL -> Epoll.unavailabilityCause();
            case IO_URING -> IoUring.unavailabilityCause();
            case NIO -> null;
        };
        return cause == null ? "" : cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    public IoHandlerFactory ioHandlers() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    public Class<? extends Channel> socket() {
        return socket;
    }

    public Class<? extends ServerChannel> serverSocket() {
        return serverSocket;
    }
}

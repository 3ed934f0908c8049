package dev.comporta.proxy.listen;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.HashMap;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/** The interface for sockets: the kernel's own where available, else NIO. */
public enum Transport {
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class),
    IO_URING(IoUringSocketChannel.class, IoUringServerSocketChannel.class),
    NIO(NioSocketChannel.class, NioServerSocketChannel.class);

    /** Netty's switch for io_uring's multishot accept; read when Netty's class for io_uring is first used. */
    private static final String ACCEPT_MULTISHOT = "io.netty.iouring.acceptMultiShotEnabled";

    static {
        // With it the kernel accepts all that connect, and has used up the file descriptors before the first of them is
        // seen and closed for want of one.
        if (System.getProperty(ACCEPT_MULTISHOT) == null) {
            System.setProperty(ACCEPT_MULTISHOT, "false");
        }
    }

    private final Class<? extends Channel> socket;
    private final Class<? extends ServerChannel> serverSocket;

    Transport(Class<? extends Channel> socket, Class<? extends ServerChannel> serverSocket) {
        this.socket = socket;
        this.serverSocket = serverSocket;
    }

    /**
     * epoll where available. Not io_uring, which takes less of the kernel's time: Netty's transport can fail when a channel
     * moves from one event loop to another, as every client's does.
     */
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

    /** The options by which a socket detects that its peer has vanished, as far as the transport has them. */
    public Map<ChannelOption<?>, Object> options(KeepAlive keepAlive) {
        Map<ChannelOption<?>, Object> options = new HashMap<>();
        options.put(ChannelOption.SO_KEEPALIVE, true);
        int idle = (int) keepAlive.idle().toSeconds();
        int interval = (int) keepAlive.interval().toSeconds();
        int userTimeout = (int) keepAlive.userTimeout().toMillis();
        switch (this) {
            case EPOLL -> {
                options.put(EpollChannelOption.TCP_KEEPIDLE, idle);
                options.put(EpollChannelOption.TCP_KEEPINTVL, interval);
                options.put(EpollChannelOption.TCP_KEEPCNT, keepAlive.count());
                options.put(EpollChannelOption.TCP_USER_TIMEOUT, userTimeout);
            }
            case IO_URING -> {
                options.put(IoUringChannelOption.TCP_KEEPIDLE, idle);
                options.put(IoUringChannelOption.TCP_KEEPINTVL, interval);
                options.put(IoUringChannelOption.TCP_KEEPCNT, keepAlive.count());
                options.put(IoUringChannelOption.TCP_USER_TIMEOUT, userTimeout);
            }
            case NIO -> {
                // NIO has no user timeout.
                options.put(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), idle);
                options.put(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), interval);
                options.put(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), keepAlive.count());
            }
        }
        return options;
    }

    /** Sets the {@link #options} of a connection to be opened. */
    @SuppressWarnings("unchecked") // each value is of its option's type
    public void keepAlive(Bootstrap bootstrap, KeepAlive keepAlive) {
        options(keepAlive).forEach((option, value) -> bootstrap.option((ChannelOption<Object>) option, value));
    }

    /** Sets the {@link #options} of accepted connections. */
    @SuppressWarnings("unchecked") // each value is of its option's type
    void keepAlive(ServerBootstrap bootstrap, KeepAlive keepAlive) {
        options(keepAlive).forEach((option, value) -> bootstrap.childOption((ChannelOption<Object>) option, value));
    }

    public Class<? extends Channel> socket() {
        return socket;
    }

    public Class<? extends ServerChannel> serverSocket() {
        return serverSocket;
    }
}

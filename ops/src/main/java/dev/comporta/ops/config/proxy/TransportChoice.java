package dev.comporta.ops.config.proxy;

/** The operating system's interface for sockets. */
public enum TransportChoice {
    /** {@link #EPOLL} if it is available, otherwise {@link #NIO}. */
    AUTO,
    EPOLL,
    IO_URING,
    NIO
}

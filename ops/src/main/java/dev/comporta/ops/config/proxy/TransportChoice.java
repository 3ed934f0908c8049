package dev.comporta.ops.config.proxy;

/** The operating system's interface for sockets. */
public enum TransportChoice {
    /** The fastest that the machine has. */
    AUTO,
    EPOLL,
    IO_URING,
    NIO
}

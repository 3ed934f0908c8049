package dev.comporta.ops.config.proxy;

/** What is written: the lines of this level, and of those before it. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
}

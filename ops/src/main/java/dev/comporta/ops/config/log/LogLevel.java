package dev.comporta.ops.config.log;

/** Lines of this level and of the levels before it are written. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
}

package dev.comporta.ops.config.log;

/** What is written: the lines of this level, and of those before it. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
}

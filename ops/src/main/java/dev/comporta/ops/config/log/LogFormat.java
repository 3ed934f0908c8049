package dev.comporta.ops.config.log;

/** What a line of the log looks like. */
public enum LogFormat {
    TEXT,
    /** One object per line. */
    JSON
}

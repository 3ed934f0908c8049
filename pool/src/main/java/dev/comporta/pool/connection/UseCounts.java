package dev.comporta.pool.connection;

/** The usage counters of a server connection. */
public final class UseCounts {
    /** How often it was handed out. */
    public long uses;

    public long queries;
    public long bytesSent;
    public long bytesReceived;
}

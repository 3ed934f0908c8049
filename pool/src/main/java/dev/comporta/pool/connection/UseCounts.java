package dev.comporta.pool.connection;

/** What a server connection was used for, in numbers. */
public final class UseCounts {
    /** How often it was handed out. */
    public long uses;

    public long queries;
    public long bytesSent;
    public long bytesReceived;
}

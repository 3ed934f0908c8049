package dev.comporta.jdbc.stats;

/** A pool in JMX, under {@code dev.comporta:type=Pool,name=…}. */
public interface PoolMXBean {
    int getActiveConnections();

    int getIdleConnections();

    int getTotalConnections();

    int getThreadsAwaitingConnection();

    int getMaximumPoolSize();

    void setMaximumPoolSize(int connections);

    boolean isHealthy();

    String getUnhealthyReason();

    long getAcquires();

    long getTimeouts();

    long getErrors();

    /** Replaces all connections: idle ones now, others when they are returned. */
    void softEvictConnections();

    /** Lends no connections until {@link #resumePool}: requests wait. */
    void suspendPool();

    void resumePool();
}

package dev.comporta.pool.stats;

/** The statistics of a pool since it was made. Plain fields: the hot path increments them. */
public final class Counters {
    public long attached;
    public long released;
    /** Attached without waiting. */
    public long attachedAtOnce;

    /** Requests that found nothing ready and waited. */
    public long queued;

    public long cancelled;
    public long opened;
    public long closed;
    public long timeouts;
    public long waitNanos;
    public long lifeNanos;
    public long validations;
    public long validationFailures;
    public long resets;
    public long resetFailures;
    public long queries;
    public long queryNanos;
    public long bytesSent;
    public long bytesReceived;

    public void add(Counters o) {
        attached += o.attached;
        released += o.released;
        attachedAtOnce += o.attachedAtOnce;
        queued += o.queued;
        cancelled += o.cancelled;
        opened += o.opened;
        closed += o.closed;
        timeouts += o.timeouts;
        waitNanos += o.waitNanos;
        lifeNanos += o.lifeNanos;
        validations += o.validations;
        validationFailures += o.validationFailures;
        resets += o.resets;
        resetFailures += o.resetFailures;
        queries += o.queries;
        queryNanos += o.queryNanos;
        bytesSent += o.bytesSent;
        bytesReceived += o.bytesReceived;
    }

    public TrafficSnapshot snapshot() {
        return new TrafficSnapshot(
                attached,
                released,
                attachedAtOnce,
                queued,
                cancelled,
                opened,
                closed,
                timeouts,
                waitNanos,
                lifeNanos,
                validations,
                validationFailures,
                resets,
                resetFailures,
                queries,
                queryNanos,
                bytesSent,
                bytesReceived);
    }
}

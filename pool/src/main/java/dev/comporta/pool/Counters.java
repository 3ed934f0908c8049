package dev.comporta.pool;

/** What happened in a pool since it was made. Plain fields: the hot path increments them. */
final class Counters {
    long attached;
    long released;
    /** Attached without waiting. */
    long attachedAtOnce;
    /** Attached to the connection the client used last. */
    long attachedToOwn;
    /** Attached to a connection already in the client's session state, the former apart. */
    long attachedInState;

    /** Requests that found nothing ready and waited. */
    long queued;

    long cancelled;
    long opened;
    long closed;
    long timeouts;
    long waitNanos;
    long lifeNanos;
    long validations;
    long validationFailures;
    long resets;
    long resetFailures;
    long queries;
    long queryNanos;
    long bytesSent;
    long bytesReceived;

    void add(Counters o) {
        attached += o.attached;
        released += o.released;
        attachedAtOnce += o.attachedAtOnce;
        attachedToOwn += o.attachedToOwn;
        attachedInState += o.attachedInState;
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

    TrafficSnapshot snapshot() {
        return new TrafficSnapshot(
                attached,
                released,
                attachedAtOnce,
                attachedToOwn,
                attachedInState,
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

package dev.comporta.proxy.relay;

import java.time.Duration;

/**
 * Decides at which moments the clients of a draining bucket are closed, in the course of the time that they have.
 *
 * <p>TDS has no message for "connect elsewhere". A closed connection is noticed at its next use, and the application loses what
 * was sent on it by then. So the best moment is one at which the application tests the connection before using it: a connection
 * pool does so if it was idle for a while. Second best is after a commit: the next use of the connection probably begins with the
 * test of a careful pool. The last resort is after any other response, which may have been the response to that test.
 */
public record DrainPace(long begunAt, long nanos) {
    /** When a client may be closed, as long as no request or transaction of it runs. */
    public enum Moment {
        /** After a silence of {@link #silence}. */
        SILENCE,
        /** The same, or right after the end of a transaction. */
        TRANSACTION_END,
        /** Right after any response. */
        ANSWER
    }

    /** The longest time for which a well-known pool reuses a connection without a test: Tomcat's. */
    private static final long LONGEST_SILENCE = Duration.ofSeconds(3).toNanos();

    /** HikariCP's is half a second; its clock starts a little later than ours. */
    private static final long SHORTEST_SILENCE = Duration.ofMillis(750).toNanos();

    /** Divides the remaining time, so that several silences of the required length fit in. */
    private static final int SILENCES = 3;

    public static DrainPace of(Duration time, long now) {
        return new DrainPace(now, time.toNanos());
    }

    public Moment moment(long now) {
        long elapsed = now - begunAt;
        if (elapsed < silenceEnds()) {
            return Moment.SILENCE;
        }
        return elapsed < nanos / 10 * 9 ? Moment.TRANSACTION_END : Moment.ANSWER;
    }

    /** How long a client must be silent to be closed now: less as time runs out, for clients that are never silent for long. */
    long silence(long now) {
        long left = silenceEnds() - (now - begunAt);
        return Math.clamp(left / SILENCES, SHORTEST_SILENCE, LONGEST_SILENCE);
    }

    private long silenceEnds() {
        return nanos / 10 * 6;
    }
}

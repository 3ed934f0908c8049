package dev.comporta.proxy.relay;

import java.time.Duration;

/**
 * At which moments the clients of a bucket that drains are closed, in the course of the time that they have.
 *
 * <p>TDS has no word for "go elsewhere". A connection that is closed is found out by its next use, and what was sent on it
 * by then is lost to the application. So the best moment is one at which the application looks at the connection before it
 * uses it: a connection pool does so where it has not used it for a while. After a commit is second best: what follows is
 * most likely the next use of the connection, which a careful pool begins with a test. After any other answer is the last
 * resort: it may have been the answer to that test.
 */
public record DrainPace(long begunAt, long nanos) {
    /** When a client may be closed, as long as no request or transaction of it runs. */
    public enum Moment {
        /** When it has been silent for {@link #silence}. */
        SILENCE,
        /** The same, or right after the end of a transaction. */
        TRANSACTION_END,
        /** Right after any answer. */
        ANSWER
    }

    /** The longest for which a well-known pool uses a connection again without a test: Tomcat's. */
    private static final long LONGEST_SILENCE = Duration.ofSeconds(3).toNanos();

    /** HikariCP does so for half a second; its clock starts a little later than ours. */
    private static final long SHORTEST_SILENCE = Duration.ofMillis(750).toNanos();

    /** So that several silences of the length that is asked for have a chance while there is time. */
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

    /**
     * How long a client has to be silent to be closed now: less as the time runs out, for clients that are never silent for
     * long.
     */
    long silence(long now) {
        long left = silenceEnds() - (now - begunAt);
        return Math.clamp(left / SILENCES, SHORTEST_SILENCE, LONGEST_SILENCE);
    }

    private long silenceEnds() {
        return nanos / 10 * 6;
    }
}

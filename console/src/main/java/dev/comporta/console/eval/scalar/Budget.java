package dev.comporta.console.eval.scalar;

import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.SqlError;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work that the statements of one text may cause together. A step is one row, or about as much work. One thread only.
 *
 * <p>The console shares its machine with the data plane: a careless cross join must not run on.
 */
public final class Budget {
    // Rare enough that reading the clock costs nothing, often enough that a statement overruns by milliseconds only.
    private static final int STEPS_BETWEEN_CLOCKS = 4096;

    // 100 MB: 500 characters in each of 100,000 rows.
    private static final long MAX_CHARACTERS = 50_000_000;

    private final Limits limits;
    private final LongSupplier nanoClock;
    private final Runnable giveWay;
    private long deadlineNanos;
    private long steps;
    private long nextClock = STEPS_BETWEEN_CLOCKS;
    private int returned;
    private long characters;

    /** @param giveWay called from time to time, to let other work use the thread or the processor; this time is not counted */
    public Budget(Limits limits, LongSupplier nanoClock, Runnable giveWay) {
        this.limits = limits;
        this.giveWay = giveWay;
        this.nanoClock = nanoClock;
        this.deadlineNanos = nanoClock.getAsLong() + limits.time().toNanos();
    }

    public void step(Position at) {
        step(1, at);
    }

    public void step(long count, Position at) {
        steps += count;
        if (steps > limits.steps()) {
            throw exceeded(at, limits.steps() + " steps");
        }
        if (steps >= nextClock) {
            nextClock = steps + STEPS_BETWEEN_CLOCKS;
            long now = nanoClock.getAsLong();
            if (now - deadlineNanos > 0) {
                throw exceeded(at, shown(limits.time()));
            }
            giveWay.run();
            deadlineNanos += nanoClock.getAsLong() - now;
        }
    }

    /** Counts the rows of all results: they are held in memory until the text has run. */
    public void returned(int count, Position at) {
        returned += count;
        rows(returned, at);
    }

    public void rows(int count, Position at) {
        if (count > limits.rows()) {
            throw new SqlError(
                    8649,
                    at,
                    "The result has more than " + limits.rows() + " rows. Narrow it with WHERE, TOP or GROUP BY.");
        }
    }

    /** Counts the text in rows that are kept: expressions make long texts out of short ones. */
    public void kept(@Nullable Object[] row, Position at) {
        for (Object value : row) {
            if (value instanceof String text) {
                characters += text.length();
            }
        }
        if (characters > MAX_CHARACTERS) {
            throw new SqlError(
                    8649,
                    at,
                    "The result has more than " + MAX_CHARACTERS + " characters of text. Select fewer columns.");
        }
    }

    private static String shown(Duration time) {
        return time.toMillis() + " ms";
    }

    private static SqlError exceeded(Position at, String limit) {
        return new SqlError(
                8649,
                at,
                "The query was ended: it took more than " + limit + ". Join fewer views, or narrow them first.");
    }

    /**
     * @param text characters in one text
     * @param rows of all its results
     * @param steps of all its statements
     * @param time of all its statements
     */
    public record Limits(int text, int rows, long steps, Duration time) {
        /** The steps are about a second's work; the rows suffice for every client of a busy instance. */
        public static final Limits DEFAULT = new Limits(100_000, 100_000, 10_000_000, Duration.ofSeconds(5));
    }
}

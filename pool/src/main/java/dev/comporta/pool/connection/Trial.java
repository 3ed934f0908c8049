package dev.comporta.pool.connection;

import dev.comporta.pool.settings.HealthSettings;

/** The latest opening or validation of a server connection: what the server's answer to it means. */
public final class Trial {
    /** Why it was begun. */
    public enum Occasion {
        /** A client waits for it, or has just released it. */
        CLIENT,
        /** The pool itself: the reservoir's stock, or a scheduled check. */
        POOL
    }

    public Occasion occasion = Occasion.CLIENT;
    /** How it is being validated, or was last. */
    public HealthSettings.Check check = HealthSettings.Check.PING;
    /** The state of {@link dev.comporta.pool.health.Health#news} when this began. */
    public long newsAtStart;

    /** Whether another connection was closed for this one: the server then needs no more room than before. */
    public boolean inPlace;

    public boolean isForPool() {
        return occasion == Occasion.POOL;
    }
}

package dev.comporta.pool;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;

/** A server connection as the carrier sees it: what it was told, and what it told. */
final class Link {
    enum Stage {
        OPENING,
        /** Nobody's. */
        FREE,
        HELD,
        VALIDATING,
        RESETTING,
        /** Reported to be of no use: an order to close it follows, others may be on their way. */
        BROKEN,
        CLOSING,
        GONE
    }

    final ServerConnection connection;
    Stage stage = Stage.OPENING;
    Client holder;
    /** Must be reset before anyone else gets it. */
    boolean dirty;
    /** Must be reset soon, or with the first message of whoever gets it. */
    boolean unclean;

    long restsSince;
    /** Its last client is gone, or has another. */
    boolean deserted;

    /** Who had it before. */
    Client lastHolder;
    /** The state its session is in. */
    Object session;
    /** How it is being validated. */
    HealthSettings.Check check;

    boolean pinned;
    long openedAt;
    CloseReason closeReason;

    Link(ServerConnection connection) {
        this.connection = connection;
    }

    boolean isComing() {
        return stage == Stage.OPENING || stage == Stage.VALIDATING || stage == Stage.RESETTING;
    }

    static Link of(ServerConnection c) {
        return (Link) c.attachment();
    }

    @Override
    public String toString() {
        return "link " + connection.id() + " of " + connection.pool().key() + " " + stage;
    }
}

package dev.comporta.pool;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.OpenFailure;
import org.jspecify.annotations.Nullable;

/** The events of server connections that the carrier reports, each with its time, like those of {@link Bucket}. */
public final class ConnectionEvents {
    private final Conditions conditions;
    private final Ledger ledger;
    private final Openings openings;
    private final Attempts attempts;
    private final Checks checks;
    private final Usage usage;
    private final Placement placement;
    private final Reservoir reservoir;
    private final Runnable settle;

    /** @param settle finishes the event */
    ConnectionEvents(
            Conditions conditions,
            Ledger ledger,
            Openings openings,
            Attempts attempts,
            Checks checks,
            Usage usage,
            Placement placement,
            Reservoir reservoir,
            Runnable settle) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.openings = openings;
        this.attempts = attempts;
        this.checks = checks;
        this.usage = usage;
        this.placement = placement;
        this.reservoir = reservoir;
        this.settle = settle;
    }

    /** The server has answered, and the login begins: it may cause any failure from now on. This event is optional. */
    public void connected(ServerConnection c, long at) {
        if (concerns(c, c.state == ConnectionState.CONNECTING, "be connected", at)) {
            ledger.move(c, ConnectionState.LOGGING_IN);
            settle.run();
        }
    }

    /**
     * The connection is logged in.
     *
     * @param state the state of its session
     */
    public void opened(ServerConnection c, @Nullable Object state, long at) {
        if (concerns(c, c.state.isOpening(), "be opened", at)) {
            attempts.opened(c, state);
            reservoir.born(c);
            placement.place(c);
            settle.run();
        }
    }

    /** The connection could not be opened, and its socket is closed: no {@link #closed} follows. */
    public void openFailed(ServerConnection c, OpenFailure failure, String why, long at) {
        if (c.state.isOver()) {
            closed(c, at);
            return;
        }
        require(c.state.isOpening(), c, "fail to open");
        conditions.advance(at);
        attempts.failed(c, failure, why, false);
        settle.run();
    }

    /**
     * The connection could not be opened, and the server may still count it. The failure counts now, for its waiters too;
     * the order to close it follows, and its slot can be used again after {@link #closed}.
     */
    public void openBroken(ServerConnection c, OpenFailure failure, String why, long at) {
        if (concerns(c, c.state.isOpening(), "fail to open", at)) {
            attempts.failed(c, failure, why, true);
            settle.run();
        }
    }

    /**
     * The connection can't be used any more, and the server may still count it. A client that had it has none now. The
     * order to close it follows, and its slot can be used again after {@link #closed}.
     */
    public void broken(ServerConnection c, long at) {
        if (c.state.isOpening()) {
            openBroken(c, unanswered(c), "the connection broke before the login was answered", at);
        } else if (concerns(c, c.state.isLive(), "break", at)) {
            if (c.state.isInUse()) {
                usage.detach(c);
            }
            openings.close(c, CloseReason.LOST);
            settle.run();
        }
    }

    private static OpenFailure unanswered(ServerConnection c) {
        return c.state == ConnectionState.LOGGING_IN ? OpenFailure.LOGIN_FAILED : OpenFailure.UNREACHABLE;
    }

    /** The connection is closed, as ordered or not. A client that had it has none now. */
    public void closed(ServerConnection c, long at) {
        if (c.state == ConnectionState.CLOSED) {
            return;
        }
        if (c.state.isOpening()) {
            openFailed(c, unanswered(c), "closed by the server before the login was answered", at);
            return;
        }
        require(c.state.isLive() || c.state.isOver(), c, "be closed");
        conditions.advance(at);
        if (c.state.isInUse()) {
            usage.detach(c);
        }
        openings.ended(c);
        settle.run();
    }

    /**
     * The carrier has closed the connection as ordered, but the server did not end its side in time. Its slot can be used
     * again, though the server may still count the connection.
     */
    public void closedUnseen(ServerConnection c, long at) {
        if (c.state == ConnectionState.CLOSING) {
            c.closeReason = CloseReason.END_UNSEEN;
        }
        closed(c, at);
    }

    public void resetDone(ServerConnection c, boolean clean, long at) {
        if (concerns(c, c.state == ConnectionState.RESETTING, "have been reset", at)) {
            if (checks.resetDone(c, clean)) {
                placement.cleaned(c);
            }
            settle.run();
        }
    }

    /** Instead of {@link #resetDone}: a client left something in the session that no reset undoes, and none was sent. */
    public void notResettable(ServerConnection c, long at) {
        if (concerns(c, c.state == ConnectionState.RESETTING, "not be resettable", at)) {
            checks.notResettable(c);
            settle.run();
        }
    }

    public void validated(ServerConnection c, boolean works, long at) {
        if (concerns(c, c.state == ConnectionState.VALIDATING, "have been validated", at)) {
            if (checks.validated(c, works)) {
                placement.place(c);
                checks.goOn(c);
            }
            settle.run();
        }
    }

    /**
     * @param possible whether the event can happen in the connection's state
     * @return false if the connection is closing or closed already; otherwise the event's time is now the bucket's
     */
    boolean concerns(ServerConnection c, boolean possible, String event, long at) {
        if (c.state.isOver()) {
            return false;
        }
        require(possible, c, event);
        conditions.advance(at);
        return true;
    }

    private static void require(boolean possible, ServerConnection c, String event) {
        if (!possible) {
            throw new IllegalStateException(c + " can't " + event);
        }
    }
}

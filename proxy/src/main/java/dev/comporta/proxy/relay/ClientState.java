package dev.comporta.proxy.relay;

import dev.comporta.pool.PinReason;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import org.jspecify.annotations.Nullable;

/**
 * What a client has made of its session: the settings that follow it from one server connection to another, and what
 * can't follow, and so pins it.
 */
final class ClientState {
    private final boolean keepsResults;
    private final PinBook pins = new PinBook();
    private SessionState settings = SessionState.AS_LOGGED_IN;

    /** @param keepsResults whether what a request leaves for the next one to ask for pins until then */
    ClientState(boolean keepsResults) {
        this.keepsResults = keepsResults;
    }

    SessionState settings() {
        return settings;
    }

    /** Why the client must keep its connection, transactions apart; null when it need not. */
    @Nullable
    PinReason pinReason() {
        return pins.reason();
    }

    void keepUntilReset(PinReason reason) {
        pins.untilReset(reason);
    }

    /** The client has its session reset. */
    void reset() {
        settings = settings.afterReset();
        pins.clear();
    }

    /**
     * An integer came back while a request was answered: a handle perhaps. Where the same request has given one of that
     * number back, this is a new one: the server uses numbers again.
     */
    void returned(RequestInspector request, int ordinal, long value) {
        // Of several calls in one message it is not told whose value it is: better a pin too many.
        if (request.isPreparing() && (request.hasSeveralCalls() || ordinal == request.handleOrdinal())) {
            request.unprepared.remove((int) value);
            pins.preparedHandle((int) value);
        }
        boolean cursor = request.isOpeningCursor() && value != 0;
        if (cursor && (request.hasSeveralCalls() || ordinal == request.cursorOrdinal())) {
            request.closedCursors.remove((int) value);
            pins.cursor((int) value);
        }
    }

    /**
     * Takes down what a request has changed, when its response is over.
     *
     * @param certain whether it ran to its end, without an error
     */
    void after(RequestInspector request, ServerSession server, boolean certain) {
        if (!request.isComplete() && request.type() != PacketType.BULK_LOAD) {
            pins.untilReset(PinReason.NOT_UNDERSTOOD);
        }
        if (request.isOpaque()) {
            server.taint();
        }
        pins.gaveBack(request.unprepared, request.closedCursors);
        pins.bulkAnnounced(request.has(Finding.INSERT_BULK));
        pins.resultLeft(keepsResults && mayHaveChangedRows(request, server.tracker()));
        if (request.hasAny(Effect.PIN)) {
            pins.untilReset(PinBook.of(request.pinningFinding()));
        }
        if (certain) {
            settings = request.apply(settings);
        } else if (request.pinsIfCutShort()) {
            // How far it came, and so what it has set or left, is the server's secret.
            pins.untilReset(PinReason.NOT_UNDERSTOOD);
        }
        String database = server.tracker().database();
        if (database != null) {
            settings = settings.inDatabase(database);
        }
        server.sessionState(settings);
    }

    /** Whether @@IDENTITY or @@ROWCOUNT may be worth asking for: a procedure can do without telling what it did. */
    private static boolean mayHaveChangedRows(RequestInspector request, ResponseTracker response) {
        return request.isOpaque()
                || request.type() == PacketType.BULK_LOAD
                || (request.has(Finding.OPENS_IMPLICIT_TRANSACTION) && response.didMoreThanSelect());
    }
}

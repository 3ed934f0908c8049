package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.prepared.PreparedIn;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.relay.request.PinBook;
import dev.comporta.proxy.relay.request.RequestFindings;
import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.SetOption;
import org.jspecify.annotations.Nullable;

/**
 * A client's changes to its session: the settings that follow it from one server connection to another, and the reasons that
 * pin it because they can't follow.
 */
final class ClientState {
    private final boolean keepsResults;
    private final PinBook pins = new PinBook();
    /** Its prepared statements; null in session mode, where handles are the server's own. */
    private final @Nullable ClientHandles handles;

    private SessionState settings = SessionState.AS_LOGGED_IN;
    /** Whether the last reported database may have been reverted without a report. */
    private boolean databaseDoubted;

    /** Cached for all executions in the same settings. */
    private @Nullable PreparedIn preparedIn;

    private @Nullable SessionState preparedInOf;
    /** The prepared statement that its next request executes, if known. */
    private @Nullable PreparedText wanted;

    /** @param keepsResults whether a result that a request leaves for the next to read pins until then */
    ClientState(boolean keepsResults, @Nullable ClientHandles handles) {
        this.keepsResults = keepsResults;
        this.handles = handles;
    }

    @Nullable
    ClientHandles handles() {
        return handles;
    }

    /** The settings in which a statement would be prepared now; null if unknown. */
    @Nullable
    @SuppressWarnings(
            "ReferenceEquality") // other settings are another object; the same ones in another only cost a little
    PreparedIn preparedIn() {
        if (settings.isUnknown() || databaseDoubted) {
            return null;
        }
        PreparedIn known = preparedIn;
        if (known == null || preparedInOf != settings) {
            known = new PreparedIn(
                    settings.database(),
                    settings.isAnsiOn(SetOption.ANSI_NULLS),
                    settings.isAnsiOn(SetOption.QUOTED_IDENTIFIER));
            preparedIn = known;
            preparedInOf = settings;
        }
        return known;
    }

    SessionState settings() {
        return settings;
    }

    /** Why the client must keep its connection, transactions apart; null if it need not. */
    @Nullable
    PinReason pinReason() {
        PinReason reason = pins.reason();
        return reason == null && handles != null && handles.pin() ? PinReason.PREPARED_STATEMENT : reason;
    }

    void wants(@Nullable PreparedText text) {
        wanted = text;
    }

    /** How much must be done before the next request could be sent on a connection with this session. */
    int distance(SessionKnowledge session) {
        int lacking = wanted == null || session.handles().has(wanted) ? 0 : 1;
        return 2 * settings.distance(session.state()) + lacking;
    }

    void keepUntilReset(PinReason reason) {
        pins.untilReset(reason);
    }

    /** A bulk load has ended before it was complete. */
    void bulkEnded() {
        pins.bulkAnnounced(false);
    }

    /** The client has asked for a reset of its session. */
    void reset() {
        settings = settings.afterReset();
        databaseDoubted = false;
        pins.clear();
        forgetHandles();
    }

    void forgetHandles() {
        if (handles != null) {
            handles.clear();
        }
    }

    /**
     * An integer was returned in a response, possibly a handle.
     *
     * @return the number that the client gets instead
     */
    long returned(RequestInspector request, ServerHandles server, int ordinal, long value) {
        request.cursors().returned(ordinal, value, pins);
        if (handles == null || value <= 0 || !request.prepared().isNewHandle(ordinal)) {
            return value;
        }
        PreparedText text = handles.hold(request.prepared().prepared(preparedIn()));
        server.put(text, (int) value);
        return handles.give(text);
    }

    /**
     * Records what a request has changed, at the end of its response.
     *
     * @param certain whether it ran to its end without an error
     */
    void after(RequestInspector request, PooledServer server, boolean certain) {
        if (!request.isComplete() && request.type() != PacketType.BULK_LOAD) {
            pins.untilReset(PinReason.NOT_UNDERSTOOD);
        }
        SessionKnowledge knowledge = server.session();
        if (certain && request.found().has(Finding.RESETS_SESSION)) {
            // Other effects of the request are applied after it, whatever the order.
            reset();
            knowledge.handles().forget();
            server.tracker().transaction().wasReset();
        }
        if (!request.leavesNothingButTransactions()) {
            knowledge.doubt();
        }
        if (request.found().has(Trait.DISTRIBUTED)) {
            // The session takes the transaction's isolation level, which no reset restores.
            knowledge.doubtSettings();
        }
        if (spends(request, server.tracker(), knowledge, certain)) {
            knowledge.spend();
            if (request.found().sets(SetOption.ANSI_DEFAULTS)) {
                pins.untilReset(PinReason.NOT_UNDERSTOOD); // replayed, it would spend one connection after another
            }
        }
        if (request.isLost()) {
            knowledge.lose();
        }
        if (knowledge.isLost()) {
            pins.untilLeft(PinReason.NOT_UNDERSTOOD);
        }
        request.cursors().close(pins);
        request.prepared().end(knowledge.handles(), certain);
        pins.bulkAnnounced(request.found().has(Finding.INSERT_BULK));
        pins.resultLeft(keepsResults && mayHaveChangedRows(request, server.tracker()));
        if (request.found().hasAny(Effect.PIN)) {
            knowledge.doubtSettings();
            pins.untilReset(PinBook.of(request.found().pinning()));
        }
        if (request.found().has(Trait.CALLS_PINNING_PROCEDURE)) {
            pins.untilReset(PinReason.PROCEDURE);
        }
        if (request.found().has(Finding.DROPS_OWN_TEMPORARY) && mayHaveBeenInTransaction(request, server)) {
            // The drop may still be rolled back, by this request or a later one.
            pins.untilReset(PinReason.TEMPORARY_TABLE);
        }
        if (certain) {
            settings = request.found().apply(settings);
            if (settings.isUnknown()) {
                pins.untilReset(PinReason.NOT_UNDERSTOOD);
            }
        } else if (request.found().has(Trait.PINS_IF_CUT_SHORT)) {
            // How far it ran is unknown, and so is what it has set or left.
            knowledge.doubtSettings();
            pins.untilReset(PinReason.NOT_UNDERSTOOD);
        }
        boolean doubtsImplicit = doubtsImplicit(request, certain);
        if (doubtsImplicit) {
            knowledge.doubtImplicit();
        }
        boolean setsInside = doubtsImplicit || request.found().has(Finding.SETS_OPTION_INSIDE);
        boolean staysSet = request.type() == PacketType.RPC && !knowledge.isSqlServer();
        if (setsInside && staysSet && !knowledge.habits().resetsAll()) {
            pins.untilReset(PinReason.NOT_UNDERSTOOD); // its settings there would not hold on another connection
        }
        if (request.found().has(Finding.CREATES_TEMPORARY_INSIDE)
                && !knowledge.isSqlServer()
                && !knowledge.habits().resetsAll()) {
            pins.untilReset(PinReason.TEMPORARY_TABLE);
        }
        noteDatabase(request, server);
    }

    /** Whether the request may have turned implicit transactions on or off in a way that its settings don't show. */
    private static boolean doubtsImplicit(RequestInspector request, boolean certain) {
        RequestFindings found = request.found();
        boolean sets = found.sets(SetOption.IMPLICIT_TRANSACTIONS) || found.sets(SetOption.ANSI_DEFAULTS);
        return found.has(Finding.SETS_IMPLICIT_INSIDE)
                || found.has(Finding.NOT_UNDERSTOOD)
                || request.isLost()
                || (sets && (!certain || found.hasAny(Effect.PIN)));
    }

    /** Records the session's present database, and the state that the connection is left in. */
    private void noteDatabase(RequestInspector request, PooledServer server) {
        SessionKnowledge knowledge = server.session();
        String database = server.tracker().database();
        if (database == null) {
            // Where a reset did not restore the database, it still differs from what the client assumes.
            knowledge.state(settings.inDatabase(knowledge.state().database()));
            return;
        }
        databaseDoubted = mayHaveBeenPutBack(request);
        if (databaseDoubted) {
            knowledge.doubtSettings();
            pins.untilReset(PinReason.NOT_UNDERSTOOD);
            if (!knowledge.habits().resetsAll()) {
                knowledge.spend();
            }
        }
        boolean logins = database.equals(server.login().database());
        settings = settings.inDatabase(logins ? "" : database);
        knowledge.state(settings);
    }

    private boolean mayHaveBeenInTransaction(RequestInspector request, PooledServer server) {
        return server.tracker().transaction().wasSeen()
                || server.session().mayBeImplicit(settings)
                || server.session().habits() == ServerHabits.ASKED_ALWAYS
                || (server.session().habits() == ServerHabits.ASKED
                        && request.found().has(Trait.OPAQUE));
    }

    /**
     * Whether a reported change of database may have ended with the text that made it. USE in dynamic SQL and in the text of
     * a call does, and it is not documented that servers report that.
     */
    private static boolean mayHaveBeenPutBack(RequestInspector request) {
        return request.type() == PacketType.RPC || request.found().has(Trait.OPAQUE);
    }

    /**
     * Whether no reset makes the connection fit for another client.
     *
     * @param certain whether the request ran to its end without an error
     */
    static boolean spends(
            RequestInspector request, ResponseTracker response, SessionKnowledge session, boolean certain) {
        return request.found().has(Finding.SETS_APPLICATION_ROLE)
                || request.found().has(Finding.IMPERSONATES)
                // It is not documented that a reset leaves another session's transaction, or a part in replication.
                || request.found().has(Finding.BINDS_SESSION)
                || request.found().has(Finding.OTHER_SESSION_PROCEDURE)
                // Babelfish refuses every bulk load after one that failed, even after a reset.
                || (request.type() == PacketType.BULK_LOAD && response.errors() > 0)
                // Its reset leaves these, too, and turns implicit transactions on after SET ANSI_DEFAULTS, ON or OFF.
                || (!session.habits().resetsAll()
                        && (request.found().has(Trait.CALLS_PINNING_PROCEDURE)
                                || request.found().has(Finding.SETS_SESSION_CONTEXT)
                                || request.found().has(Finding.SETS_CONTEXT_INFO)
                                || (!session.isSqlServer() && mayLeaveIdentityInsert(request, certain))
                                || request.found().sets(SetOption.ANSI_DEFAULTS)));
    }

    /**
     * Whether IDENTITY_INSERT may be on after the request. A batch that turned it off again leaves it off if it ran to its
     * end; for the text of a call, the last SET is unknown.
     */
    private static boolean mayLeaveIdentityInsert(RequestInspector request, boolean certain) {
        boolean undone =
                certain && request.type() != PacketType.RPC && !request.found().hasAny(Effect.PIN);
        return request.found().has(Finding.SETS_IDENTITY_INSERT) && !undone;
    }

    /** Whether the next request may want to read @@IDENTITY or @@ROWCOUNT: a procedure can change rows without reporting them. */
    private static boolean mayHaveChangedRows(RequestInspector request, ResponseTracker response) {
        return request.found().has(Trait.OPAQUE)
                || request.type() == PacketType.BULK_LOAD
                || (request.found().has(Finding.OPENS_IMPLICIT_TRANSACTION) && response.didMoreThanSelect());
    }
}

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
 * What a client has made of its session: the settings that follow it from one server connection to another, and what
 * can't follow, and so pins it.
 */
final class ClientState {
    private final boolean keepsResults;
    private final PinBook pins = new PinBook();
    /** What it has prepared; null in session mode, where handles are the server's own. */
    private final @Nullable ClientHandles handles;

    private SessionState settings = SessionState.AS_LOGGED_IN;
    /** Whether the database that the server told of last may have been put back without a word. */
    private boolean databaseDoubted;

    /** Made once for all executions in the same settings. */
    private @Nullable PreparedIn preparedIn;

    private @Nullable SessionState preparedInOf;
    /** What its next request executes, if that is known. */
    private @Nullable PreparedText wanted;

    /** @param keepsResults whether what a request leaves for the next one to ask for pins until then */
    ClientState(boolean keepsResults, @Nullable ClientHandles handles) {
        this.keepsResults = keepsResults;
        this.handles = handles;
    }

    @Nullable
    ClientHandles handles() {
        return handles;
    }

    /** What a statement that is prepared now is prepared in; null where that is not known. */
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

    /** Why the client must keep its connection, transactions apart; null when it need not. */
    @Nullable
    PinReason pinReason() {
        PinReason reason = pins.reason();
        return reason == null && handles != null && handles.pin() ? PinReason.PREPARED_STATEMENT : reason;
    }

    void wants(@Nullable PreparedText text) {
        wanted = text;
    }

    /** How much the next request would have to do before it could be sent on a connection in this session. */
    int distance(SessionKnowledge session) {
        int lacking = wanted == null || session.handles().has(wanted) ? 0 : 1;
        return 2 * settings.distance(session.state()) + lacking;
    }

    void keepUntilReset(PinReason reason) {
        pins.untilReset(reason);
    }

    /** A bulk load is over before it was complete. */
    void bulkEnded() {
        pins.bulkAnnounced(false);
    }

    /** The client has its session reset. */
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
     * An integer came back while a request was answered: a handle perhaps.
     *
     * @return what the client is to get instead
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
     * Takes down what a request has changed, when its response is over.
     *
     * @param certain whether it ran to its end, without an error
     */
    void after(RequestInspector request, PooledServer server, boolean certain) {
        if (!request.isComplete() && request.type() != PacketType.BULK_LOAD) {
            pins.untilReset(PinReason.NOT_UNDERSTOOD);
        }
        SessionKnowledge knowledge = server.session();
        if (certain && request.found().has(Finding.RESETS_SESSION)) {
            // What else the request did comes on top of it, whatever the order.
            reset();
            knowledge.handles().forget();
            server.tracker().transaction().wasReset();
        }
        if (!request.leavesNothingButTransactions()) {
            knowledge.doubt();
        }
        if (request.found().has(Trait.DISTRIBUTED)) {
            // The session takes on the transaction's isolation level, which no reset puts back.
            knowledge.doubtSettings();
        }
        if (spends(request, server.tracker(), knowledge, certain)) {
            knowledge.spend();
            if (request.found().sets(SetOption.ANSI_DEFAULTS)) {
                pins.untilReset(PinReason.NOT_UNDERSTOOD); // replayed, it would spend one connection after the other
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
            // The drop may be rolled back yet, by this request or a later one.
            pins.untilReset(PinReason.TEMPORARY_TABLE);
        }
        if (certain) {
            settings = request.found().apply(settings);
            if (settings.isUnknown()) {
                pins.untilReset(PinReason.NOT_UNDERSTOOD);
            }
        } else if (request.found().has(Trait.PINS_IF_CUT_SHORT)) {
            // How far it ran, and so what it has set or left, is not known.
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
            pins.untilReset(PinReason.NOT_UNDERSTOOD); // what it has set there would not hold elsewhere
        }
        if (request.found().has(Finding.CREATES_TEMPORARY_INSIDE)
                && !knowledge.isSqlServer()
                && !knowledge.habits().resetsAll()) {
            pins.untilReset(PinReason.TEMPORARY_TABLE);
        }
        noteDatabase(request, server);
    }

    /** Whether the request may have turned implicit transactions on or off in a way that its settings don't tell. */
    private static boolean doubtsImplicit(RequestInspector request, boolean certain) {
        RequestFindings found = request.found();
        boolean sets = found.sets(SetOption.IMPLICIT_TRANSACTIONS) || found.sets(SetOption.ANSI_DEFAULTS);
        return found.has(Finding.SETS_IMPLICIT_INSIDE)
                || found.has(Finding.NOT_UNDERSTOOD)
                || request.isLost()
                || (sets && (!certain || found.hasAny(Effect.PIN)));
    }

    /** Notes the database that the session is in now, and with it the state that the connection is left in. */
    private void noteDatabase(RequestInspector request, PooledServer server) {
        SessionKnowledge knowledge = server.session();
        String database = server.tracker().database();
        if (database == null) {
            // Where a reset did not put the database back, it is still another than the client believes.
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
     * Whether a change of database that the server has told of may have ended with the text that made it. USE in dynamic SQL
     * and in the text of a call does, and that servers tell of it is not documented.
     */
    private static boolean mayHaveBeenPutBack(RequestInspector request) {
        return request.type() == PacketType.RPC || request.found().has(Trait.OPAQUE);
    }

    /**
     * Whether no reset makes the connection good for another client.
     *
     * @param certain whether the request ran to its end, without an error
     */
    static boolean spends(
            RequestInspector request, ResponseTracker response, SessionKnowledge session, boolean certain) {
        return request.found().has(Finding.SETS_APPLICATION_ROLE)
                || request.found().has(Finding.IMPERSONATES)
                // Nothing says that a reset leaves another session's transaction, or a part in replication.
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
     * end; of the text of a call it is not known what came last.
     */
    private static boolean mayLeaveIdentityInsert(RequestInspector request, boolean certain) {
        boolean undone =
                certain && request.type() != PacketType.RPC && !request.found().hasAny(Effect.PIN);
        return request.found().has(Finding.SETS_IDENTITY_INSERT) && !undone;
    }

    /** Whether @@IDENTITY or @@ROWCOUNT may be worth asking for: a procedure can do without telling what it did. */
    private static boolean mayHaveChangedRows(RequestInspector request, ResponseTracker response) {
        return request.found().has(Trait.OPAQUE)
                || request.type() == PacketType.BULK_LOAD
                || (request.found().has(Finding.OPENS_IMPLICIT_TRANSACTION) && response.didMoreThanSelect());
    }
}

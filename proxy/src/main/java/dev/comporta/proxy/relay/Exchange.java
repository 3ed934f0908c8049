package dev.comporta.proxy.relay;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.relay.known.HandOver;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.relay.request.RequestFindings;
import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.FullPackets;
import dev.comporta.proxy.relay.response.LostHandle;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.RidingReset;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The present request on a server connection, and how far its response has come: what was asked, the reset that it carries,
 * what the response means, and how much of it was passed on. One for each server connection. Confined to its bucket's loop.
 */
final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);

    private final SessionKnowledge session;
    private final RelayCounters counters;
    private final LongSupplier clock;
    private final RequestInspector inspector;
    private final RidingReset reset;
    private final ResponseTracker tracker;
    private final FullPackets packets;

    /** A packet that ends within a number that may have to be replaced: it waits for the next. */
    private @Nullable ByteBuf heldBack;
    /** How many packets of the present response the client was sent. */
    private int packetsPassed;
    /** Whether a packet of the present response has come that was not its last. */
    private boolean severalPackets;
    /** When the first one came; meaningless where there is one alone. */
    private long firstByteAt;

    Exchange(
            LoginResponse login,
            SessionKnowledge session,
            RelayCounters counters,
            LongSupplier clock,
            ResponseTracker.Returned returned,
            Consumer<ByteBuf> client) {
        WireFormat format = login.format();
        this.session = session;
        this.counters = counters;
        this.clock = clock;
        inspector = new RequestInspector(RequestFormat.of(format.version()));
        reset = new RidingReset(format.version());
        tracker = new ResponseTracker(format, returned);
        packets = new FullPackets(login.packetSize(), client);
    }

    RequestInspector inspector() {
        return inspector;
    }

    /** What its responses have told. */
    ResponseTracker tracker() {
        return tracker;
    }

    /** A question of the proxy's own begins. */
    void beginOwn() {
        tracker.beginOwnResponse();
        reset.none();
    }

    /**
     * A client's request begins.
     *
     * @param add whether the session has to be reset before. A reset that is added to the request is kept from the client, and
     *     so is its acknowledgement; a client that asks for one itself has set the bit, and gets both
     */
    void begin(ByteBuf first, boolean add) {
        tracker.beginResponse();
        packetsPassed = 0;
        severalPackets = false;
        reset.none();
        int status = PacketHeader.status(first);
        if (add && (status & HandOver.RESETS) == 0) {
            PacketHeader.setStatus(first, status | PacketHeader.STATUS_RESETCONNECTION);
            reset.added();
            wasReset();
            counters.resets.add(RelayCounters.Reset.WITH_REQUEST, 1);
        } else if ((status & PacketHeader.STATUS_RESETCONNECTION) != 0) {
            if (add) {
                reset.needed();
            } else {
                reset.asked();
            }
            wasReset();
            counters.resets.add(RelayCounters.Reset.BY_CLIENT, 1);
        } else if ((status & PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN) != 0) {
            reset.asked();
            session.reset();
            counters.resets.add(RelayCounters.Reset.BY_CLIENT, 1);
        }
    }

    private void wasReset() {
        session.reset();
        tracker.transaction().wasReset();
    }

    /**
     * Whether an attention has to wait for the response to begin. Babelfish hears it between two requests only, and a reset
     * drops all that has come by then: an attention close behind the request would never be acknowledged.
     */
    boolean holdsAttention() {
        return reset.isOutstanding() && !session.isSqlServer() && !inspector.isCutShort();
    }

    /** What a packet of the response says of the reset. Borrows the packet. */
    RidingReset.Answer toReset(ByteBuf packet) {
        return reset.answer(packet, tracker.isCancelling(), inspector.isIgnored());
    }

    /** Whether the request carried a reset, and nothing proves that the server has done it. */
    boolean isResetUnproven() {
        return reset.isUnproven(tracker, inspector.isIgnored());
    }

    /** Whether a request whose reset is unproven may have run all the same, and begun what only its client can end. */
    boolean mayHaveLeftSomething(SessionState settings) {
        RequestFindings found = inspector.found();
        return reset.mayHaveRun(inspector.isIgnored())
                && (found.hasAny(Effect.TRANSACTION)
                        || found.hasAny(Effect.PIN)
                        || found.has(Trait.OPAQUE)
                        || found.has(Trait.PINS_IF_CUT_SHORT)
                        || session.mayBeImplicit(settings));
    }

    /**
     * Reads a packet of the response, and removes the acknowledgement of a reset that the client did not ask for. Borrows the
     * packet.
     */
    ResponseTracker.Verdict read(ByteBuf packet, RidingReset.Answer toReset) {
        ResponseTracker.Verdict verdict = tracker.onPacket(packet);
        if (toReset == RidingReset.Answer.ACKNOWLEDGED) {
            packets.removeAcknowledgement(packet, reset.acknowledgementLength());
        }
        if (verdict == ResponseTracker.Verdict.MORE && !severalPackets) {
            severalPackets = true;
            firstByteAt = clock.getAsLong();
        }
        return verdict;
    }

    /** The response has something that is not understood. */
    void lose(ServerConnection connection) {
        ClientLines.ofServer(log, Level.WARN, connection.pool().bucket().id())
                .log(
                        "server connection {}: relaying a response unread, and pinning its client: {}",
                        connection,
                        tracker.complaint());
        session.lose();
    }

    /**
     * When the first packet of the response came.
     *
     * @param endedAt when the last did: most responses have no other
     */
    long firstByteAt(long endedAt) {
        return severalPackets ? firstByteAt : endedAt;
    }

    /** A packet of the response is sent to the client. */
    void passed() {
        packetsPassed++;
    }

    /** Whether the client has got some of the response already. */
    boolean hasAnswered() {
        return packetsPassed > 0;
    }

    /** Whether all of the response is that the server, outside of a transaction, has lost a handle. Borrows the packet. */
    boolean isLostHandle(ByteBuf packet) {
        return !severalPackets // some of them may wait for others
                && LostHandle.isAll(packet)
                && tracker.transaction().isSurelyOver();
    }

    /**
     * Takes a packet that is to be passed on with the next one. The one that was held back before is passed on, if its number
     * is complete.
     *
     * @return false if it is not: then this one is not taken
     */
    boolean holdBack(ByteBuf packet) {
        ByteBuf held = heldBack;
        if (held != null && tracker.unfinishedBytes() > packet.readableBytes() - PacketHeader.LENGTH) {
            return false;
        }
        heldBack = packet;
        if (held != null) {
            packets.pass(held);
        }
        return true;
    }

    /** Takes a packet that the client is to get, behind the one that was held back. */
    void pass(ByteBuf packet) {
        ByteBuf held = heldBack;
        if (held != null) {
            heldBack = null;
            packets.pass(held);
        }
        packets.pass(packet);
    }

    /** To be called now and then, while the client waits: it gets what is whole of the response. */
    void check() {
        if (heldBack == null) {
            packets.check(tracker.unfinishedBytes());
        }
    }

    void releaseHeldBack() {
        packets.clear();
        if (heldBack != null) {
            heldBack.release();
            heldBack = null;
        }
    }

    /** The client is gone in the middle of the response: what it leaves is judged by what it has asked for. */
    void abandon() {
        releaseHeldBack();
        session.handles().stray(); // what it prepares now, nobody hears of
        if (ClientState.spends(inspector, tracker, session, false)) {
            session.spend();
        }
        if (session.habits() != ServerHabits.TELLS) {
            tracker.transaction().doubt();
            session.doubt();
        }
    }
}

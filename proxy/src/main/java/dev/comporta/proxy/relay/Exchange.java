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
 * The present request on a server connection and its response: the request's findings, the reset that it carries, the state
 * of the response, and how much of it was relayed. One for each server connection. Confined to its bucket's loop.
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

    /** A packet that ends within a number that may have to be replaced: it is held until the next arrives. */
    private @Nullable ByteBuf heldBack;
    /** The number of packets of the present response that the client was sent. */
    private int packetsPassed;
    /** Whether a packet of the present response has arrived that was not its last. */
    private boolean severalPackets;
    /** When the first one arrived; meaningless if there is only one. */
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
        inspector = new RequestInspector(login.requestFormat());
        reset = new RidingReset(format.version());
        tracker = new ResponseTracker(format, returned);
        packets = new FullPackets(login.packetSize(), client);
    }

    RequestInspector inspector() {
        return inspector;
    }

    /** The tracker of its responses. */
    ResponseTracker tracker() {
        return tracker;
    }

    /** Begins the proxy's own request. */
    void beginOwn() {
        tracker.beginOwnResponse();
        reset.none();
    }

    /**
     * Begins a client's request.
     *
     * @param add whether the session must be reset before. If the proxy adds the reset, the client gets no acknowledgement; a
     *     client that has set the bit itself gets it
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
     * Whether an attention must wait until the response begins. Babelfish reads one only between two requests, and a reset
     * drops everything received by then: an attention close behind the request would never be acknowledged.
     */
    boolean holdsAttention() {
        return reset.isOutstanding() && !session.isSqlServer() && !inspector.isCutShort();
    }

    /** What a packet of the response says about the reset. Borrows the packet. */
    RidingReset.Answer toReset(ByteBuf packet) {
        return reset.answer(packet, tracker.isCancelling(), inspector.isIgnored());
    }

    /** Whether the request carried a reset of which nothing proves that the server has done it. */
    boolean isResetUnproven() {
        return reset.isUnproven(tracker, inspector.isIgnored());
    }

    /** Whether a request whose reset is unproven may have run all the same, and begun something that only its client can end. */
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
     * When the first packet of the response arrived.
     *
     * @param endedAt when the last one arrived: most responses have only one
     */
    long firstByteAt(long endedAt) {
        return severalPackets ? firstByteAt : endedAt;
    }

    /** A packet of the response is sent to the client. */
    void passed() {
        packetsPassed++;
    }

    /** Whether the client was sent a part of the response. */
    boolean hasAnswered() {
        return packetsPassed > 0;
    }

    /** Whether the whole response says that the server, outside of a transaction, does not know a handle. Borrows the packet. */
    boolean isLostHandle(ByteBuf packet) {
        return !severalPackets // others may be held already
                && LostHandle.isAll(packet)
                && tracker.transaction().isSurelyOver();
    }

    /**
     * Takes a packet that must be relayed together with the next one. The packet that was held before is relayed now, if its
     * number is complete.
     *
     * @return false if that number is not complete: then this packet is not taken
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

    /** Takes a packet for the client, to be sent after the one that was held back. */
    void pass(ByteBuf packet) {
        ByteBuf held = heldBack;
        if (held != null) {
            heldBack = null;
            packets.pass(held);
        }
        packets.pass(packet);
    }

    /** Called periodically while the client waits: sends complete tokens of the response. */
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

    /** The client has disconnected in the middle of the response: its effects are judged by the request. */
    void abandon() {
        releaseHeldBack();
        session.handles().stray(); // the handle of what it prepares will not be known
        if (ClientState.spends(inspector, tracker, session, false)) {
            session.spend();
        }
        if (session.habits() != ServerHabits.TELLS) {
            tracker.transaction().doubt();
            session.doubt();
        }
    }
}

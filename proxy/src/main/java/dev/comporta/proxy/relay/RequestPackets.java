package dev.comporta.proxy.relay;

import dev.comporta.proxy.line.ClientLine;
import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.relay.known.HandOver;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.relay.request.HandlePlaces;
import dev.comporta.proxy.relay.request.PreparedCalls;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A client's requests as packets: held while there is no server connection for them, then sent, with the server connection's
 * handles in place of the client's. Does not depend on the client's phases. Confined to its bucket's loop.
 */
final class RequestPackets {
    /** Limit of the packets that a handle is split over: it has eight bytes at most, and packets may be empty. */
    private static final int MOST_CUT = 16;

    private final ClientLine client;
    private final ConnectionBroker broker;
    private final ClientState state;
    private final HeldPackets held = new HeldPackets();
    /** When the latest packet of an incomplete request arrived. */
    private long arrivedAt;
    /** The number of held packets, from the first, that the server connection's inspector has read. */
    private int read;
    /** Bytes of the request that were sent, without packet headers. */
    private int bytesSent;
    /** Packets in which a handle has begun and not ended: they are held until the next. */
    private final List<ByteBuf> cut = new ArrayList<>(0);

    RequestPackets(ClientLine client, ConnectionBroker broker, ClientState state) {
        this.client = client;
        this.broker = broker;
        this.state = state;
    }

    HeldPackets held() {
        return held;
    }

    int heldType() {
        return PacketHeader.type(held.first());
    }

    /** Takes a packet that can't be sent yet. */
    void hold(ByteBuf packet) {
        held.add(packet);
        if (held.isFull()) {
            client.reading(false);
        }
    }

    /** Takes the next packet of a request that has no server connection yet. */
    void gather(ByteBuf packet) {
        requireType(heldType(), packet);
        packetArrived();
        hold(packet);
    }

    /** It is unknown how a server takes a packet of another type in the middle of a message. */
    private static void requireType(int wanted, ByteBuf packet) {
        int type = PacketHeader.type(packet);
        if (type != wanted) {
            packet.release();
            throw new ProtocolException("%s within a request".formatted(PacketType.name(type)));
        }
    }

    /** Drops the present request, of which nothing was sent; later packets stay. */
    void drop() {
        held.dropMessage();
        reading(true);
    }

    /** Drops a request that the client has cancelled. If it asked for a reset, that still applies. */
    void dropCancelled() {
        boolean reset = HandOver.asksReset(held.first());
        drop();
        if (reset) {
            state.reset();
        }
    }

    void release() {
        held.release();
        releaseCut();
    }

    private void releaseCut() {
        cut.forEach(ByteBuf::release);
        cut.clear();
    }

    /** Back-pressure: the client is not read while the server does not read, or too much is held. */
    void reading(boolean on) {
        client.reading(on && !held.isFull());
    }

    void packetArrived() {
        arrivedAt = broker.now();
    }

    /** When the latest packet of an incomplete request arrived. */
    long arrivedAt() {
        return arrivedAt;
    }

    boolean isStalled(ClientLimits limits, long now) {
        return limits.isStalledFor(now - arrivedAt);
    }

    /** Reads the held request, as far as it has arrived, for the connection that it will be sent on. */
    void read(PooledServer given) {
        ByteBuf first = held.first();
        if (HandOver.asksReset(first)) {
            state.reset();
        }
        given.inspector()
                .begin(
                        first,
                        broker.procedures(),
                        state.handles(),
                        given.session().isSqlServer(),
                        broker.slowRequests().isWanted());
        held.forEachOfMessage(given.inspector()::read);
        read = held.packetsOfMessage();
        bytesSent = 0;
        releaseCut();
    }

    /** What must happen to the connection before it may serve the request, which was read. */
    HandOver plan(PooledServer given) {
        SessionKnowledge session = given.session();
        boolean changedHands = given.connection().changedHands();
        HandOver plan = HandOver.plan(
                state.settings(), session, changedHands, HandOver.asksReset(held.first()), given.inspector());
        if (plan != HandOver.AS_IT_IS || !changedHands || session.handles().isEmpty()) {
            return plan;
        }
        if (broker.keepsResults()) {
            // With this setting any request may keep the connection, and the next one could use other clients' handles.
            boolean enough = state.settings().equals(SessionState.AS_LOGGED_IN) && session.isResetEnough();
            return enough ? HandOver.RESET_WITH_REQUEST : HandOver.APPLY_FIRST;
        }
        session.handles().passOn();
        return plan;
    }

    /** Begins to send the request, which was read. */
    void begin(PooledServer given, boolean addReset) {
        ByteBuf first = held.first();
        given.beginRequest(first, addReset);
        if (given.session().handles().hasOthers() && !HandOver.usesNoHandles(given.inspector(), state.settings())) {
            throw new IllegalStateException("a request on a connection that has handles of other clients");
        }
        HandlePlaces places = given.inspector().prepared().places();
        if (places.size() > 0) {
            HeldPackets.Overwriting request = held.overwriting();
            for (int i = 0; i < places.size(); i++) {
                request.put(places.offset(i), places.length(i), replacement(given, places, i));
            }
            places.clear();
        }
        given.reading(client.isWritable());
    }

    private long replacement(PooledServer given, HandlePlaces places, int place) {
        ClientHandles handles = Objects.requireNonNull(state.handles());
        return places.replace(place, given.session().handles(), handles.bucket().counters());
    }

    /** The held request was replaced by another form, which has no handles and need not be read. */
    void replaced() {
        read = held.packetsOfMessage();
    }

    /**
     * Sends a packet. Takes it.
     *
     * @return whether it was the last one of its request
     */
    boolean send(PooledServer given, ByteBuf packet) {
        RequestInspector inspector = given.inspector();
        requireType(inspector.type(), packet);
        try {
            if (read > 0) {
                read--;
            } else {
                inspector.read(packet);
                replaceHandles(given, packet);
            }
        } catch (RuntimeException broken) {
            packet.release();
            throw broken;
        }
        boolean last = PacketHeader.isEndOfMessage(packet);
        if (read == 0 && !last && inspector.endsWithinHandle()) {
            holdBack(given, packet);
            return false;
        }
        forwardCut(given);
        forward(given, packet);
        if (!last) {
            packetArrived();
            if (!given.isWritable()) {
                reading(false);
            }
        }
        return last;
    }

    private void holdBack(PooledServer given, ByteBuf packet) {
        packetArrived();
        if (packet.readableBytes() - PacketHeader.LENGTH >= Long.BYTES) {
            forwardCut(given); // their handle is complete: the handle that is cut by the end of this packet begins in it
        }
        if (cut.size() == MOST_CUT) {
            packet.release();
            throw new ProtocolException("a handle in more than " + MOST_CUT + " packets");
        }
        cut.add(packet);
    }

    private void forwardCut(PooledServer given) {
        for (ByteBuf before : cut) {
            forward(given, before);
        }
        cut.clear();
    }

    private void forward(PooledServer given, ByteBuf packet) {
        bytesSent += packet.readableBytes() - PacketHeader.LENGTH;
        given.forward(packet);
    }

    /** Replaces handles in a packet that arrived after sending began, and in earlier ones that were held back. */
    private void replaceHandles(PooledServer given, ByteBuf packet) {
        PreparedCalls calls = given.inspector().prepared();
        if (calls.isUnreadable()) {
            throw new ProtocolException("a handle that is no integer");
        }
        HandlePlaces places = calls.places();
        for (int i = 0; i < places.size(); i++) {
            long value = replacement(given, places, i);
            for (int at = 0; at < places.length(i); at++) {
                setByte(places.offset(i) + at - bytesSent, (int) (value >>> (Byte.SIZE * at)), packet);
            }
        }
        places.clear();
    }

    /** @param offset offset in the held packets and this one, without packet headers */
    private void setByte(int offset, int value, ByteBuf packet) {
        int at = offset;
        for (ByteBuf earlier : cut) {
            int length = earlier.readableBytes() - PacketHeader.LENGTH;
            if (at < length) {
                earlier.setByte(earlier.readerIndex() + PacketHeader.LENGTH + at, value);
                return;
            }
            at -= length;
        }
        packet.setByte(packet.readerIndex() + PacketHeader.LENGTH + at, value);
    }
}

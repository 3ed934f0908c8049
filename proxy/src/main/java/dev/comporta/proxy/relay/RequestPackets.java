package dev.comporta.proxy.relay;

import dev.comporta.proxy.line.ClientLine;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;

/**
 * A client's requests as packets: held while there is no server connection for them, then sent on. Knows nothing of the
 * client's phases. Confined to its bucket's loop.
 */
final class RequestPackets {
    private final ClientLine client;
    private final ConnectionBroker broker;
    private final ClientState state;
    private final HeldPackets held = new HeldPackets();
    /** When the latest packet of an incomplete request arrived. */
    private long heardAt;

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
        heard();
        hold(packet);
    }

    /** What a server makes of a packet of another type in the middle of a message, nobody can tell. */
    private static void requireType(int wanted, ByteBuf packet) {
        int type = PacketHeader.type(packet);
        if (type != wanted) {
            packet.release();
            throw new ProtocolException("%s within a request".formatted(PacketType.name(type)));
        }
    }

    /** Drops the request at hand, of which nothing was sent; what came behind it stays. */
    void drop() {
        held.dropMessage();
        reading(true);
    }

    /** Drops a request that the client has cancelled. If it was to reset the session, the client still wants that. */
    void dropCancelled() {
        boolean reset = HandOver.asksReset(held.first());
        drop();
        if (reset) {
            state.reset();
        }
    }

    /** Back-pressure: a server that does not read stops its client from being read; and so does what is held. */
    void reading(boolean on) {
        client.reading(on && !held.isFull());
    }

    void heard() {
        heardAt = broker.now();
    }

    boolean isStalled(ClientLimits limits, long now) {
        return limits.isStalledFor(now - heardAt);
    }

    /** What has to happen to the connection before it may serve the held request. */
    HandOver plan(PooledServer given) {
        ByteBuf first = held.first();
        if (HandOver.asksReset(first)) {
            state.reset();
        }
        return HandOver.plan(state.settings(), given, first);
    }

    /** The held request is sent next. */
    void begin(PooledServer given, boolean addReset) {
        ByteBuf first = held.first();
        boolean asksReset = HandOver.asksReset(first);
        if (asksReset) {
            state.reset();
        }
        // A client that asks for a reset has set the bit itself, and wants to see the acknowledgement.
        given.beginRequest(first, addReset && !asksReset);
        given.inspector().begin(first, broker.procedures());
        given.reading(client.isWritable());
    }

    /**
     * Sends a packet on. Takes it.
     *
     * @return whether it was the last one of its request
     */
    boolean send(PooledServer given, ByteBuf packet) {
        requireType(given.inspector().type(), packet);
        try {
            given.inspector().read(packet);
        } catch (RuntimeException broken) {
            packet.release();
            throw broken;
        }
        boolean last = PacketHeader.isEndOfMessage(packet);
        given.forward(packet);
        if (!last) {
            heard();
            if (!given.isWritable()) {
                reading(false);
            }
        }
        return last;
    }
}

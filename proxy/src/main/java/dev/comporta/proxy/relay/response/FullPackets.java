package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Refills the packets of a response after {@link ResetAcknowledgement} was removed from its first one. A server's packets are
 * full, up to the last of a message, unless it flushes early; and python-tds 1.11 relies on that: it reads a number wrong,
 * without an error, that is split between a shorter packet and the next. So each full packet is held until the next one arrives,
 * and is filled from its beginning. If the server takes long, complete tokens are sent before. Confined to its bucket's loop.
 */
public final class FullPackets {
    private final int packetSize;
    private final Consumer<ByteBuf> client;

    private boolean filling;
    /** A packet that lacks some bytes at its end; null if there is none. */
    private @Nullable ByteBuf waiting;
    /** The packet that was held at the latest {@link #check}; compared only, never read. */
    private @Nullable ByteBuf waited;

    /** @param client receives what may be sent; a packet may come in two parts */
    public FullPackets(int packetSize, Consumer<ByteBuf> client) {
        this.packetSize = packetSize;
        this.client = client;
    }

    /**
     * Removes the acknowledgement of a reset from the first packet of a response, which must be passed next.
     *
     * @param length the bytes to remove
     */
    public void removeAcknowledgement(ByteBuf packet, int length) {
        filling = isFull(packet);
        PacketHeader.moveOver(packet, length);
    }

    private boolean isFull(ByteBuf packet) {
        return packet.readableBytes() == packetSize && !PacketHeader.isEndOfMessage(packet);
    }

    /** Takes the next packet of the response. */
    public void pass(ByteBuf packet) {
        ByteBuf lacking = waiting;
        if (lacking != null) {
            fill(lacking, packet);
        } else if (filling) {
            waiting = packet;
        } else if (packet.readableBytes() == PacketHeader.LENGTH && !PacketHeader.isEndOfMessage(packet)) {
            packet.release(); // nothing else was in it, and mssql-jdbc reads behind the end of an empty packet
        } else {
            client.accept(packet);
        }
    }

    /** Updates the state before sending anything: a client that can't be written to ends within the call, and clears everything. */
    private void fill(ByteBuf lacking, ByteBuf next) {
        boolean stays = isFull(next);
        int wanted = packetSize - lacking.readableBytes();
        int taken = Math.min(wanted, next.readableBytes() - PacketHeader.LENGTH);
        ByteBuf rest = next.alloc().buffer(taken);
        rest.writeBytes(next, next.readerIndex() + PacketHeader.LENGTH, taken);
        PacketHeader.setLength(lacking, lacking.readableBytes() + taken);
        boolean usedUp = next.readableBytes() == PacketHeader.LENGTH + taken;
        if (usedUp) {
            PacketHeader.setStatus(lacking, PacketHeader.status(next));
            next.release();
        } else {
            PacketHeader.moveOver(next, taken);
        }
        filling = stays;
        waiting = stays ? next : null;
        client.accept(lacking);
        client.accept(rest);
        if (!stays && !usedUp) {
            client.accept(next);
        }
    }

    /**
     * Called periodically. Sends a packet that was held since the last call, up to the token that its end splits.
     *
     * @param unfinished the number of bytes received of that token
     */
    @SuppressWarnings("ReferenceEquality") // the same packet, and not one with the same bytes
    public void check(long unfinished) {
        ByteBuf packet = waiting;
        boolean isNew = packet != waited;
        waited = packet;
        if (packet == null || isNew || packet.readableBytes() - PacketHeader.LENGTH <= unfinished) {
            return;
        }
        int whole = packet.readableBytes() - (int) unfinished;
        ByteBuf begin = packet.alloc().buffer(whole);
        begin.writeBytes(packet, packet.readerIndex(), whole);
        PacketHeader.setLength(begin, whole);
        if (unfinished == 0) {
            clear();
        } else {
            PacketHeader.moveOver(packet, whole - PacketHeader.LENGTH);
        }
        client.accept(begin);
    }

    /** Discards what is held: nobody waits for the response any more. */
    public void clear() {
        filling = false;
        if (waiting != null) {
            waiting.release();
            waiting = null;
        }
    }
}

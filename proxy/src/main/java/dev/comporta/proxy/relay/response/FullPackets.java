package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fills the packets of a response again after {@link ResetAcknowledgement} was removed from its first one. A server's packets
 * are full, up to the last one of a message, unless it flushes what it has; and python-tds 1.11 relies on that: a number
 * that is divided between a shorter packet and the next one is read wrong, without an error. So each full packet waits for
 * the next one, and takes from its beginning what it lacks. Where a server takes long, the tokens that are whole do not wait.
 * Confined to its bucket's loop.
 */
public final class FullPackets {
    private final int packetSize;
    private final Consumer<ByteBuf> client;

    private boolean filling;
    /** A packet that lacks some bytes at its end; null while there is none. */
    private @Nullable ByteBuf waiting;
    /** The one that waited at the latest {@link #check}. Not to be used. */
    private @Nullable ByteBuf waited;

    /** @param client takes what may be sent; a packet may come in two parts */
    public FullPackets(int packetSize, Consumer<ByteBuf> client) {
        this.packetSize = packetSize;
        this.client = client;
    }

    /**
     * Removes the acknowledgement of a reset from the first packet of a response, which is to be passed next.
     *
     * @param length of what is removed
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

    /** What is kept is decided before anything is sent: a client that can't be written to ends at once, and clears all. */
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
     * To be called now and then. A packet that has waited since the last time is sent up to the token that its end cuts.
     *
     * @param unfinished how many bytes have come of that token
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

    /** Nobody waits for the response any more. */
    public void clear() {
        filling = false;
        if (waiting != null) {
            waiting.release();
            waiting = null;
        }
    }
}

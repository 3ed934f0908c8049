package dev.comporta.tds.packet;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Joins the packets of a message, for readers that need it whole: logins, and the server side of requests. A proxy must
 * not use it for requests, which may be of any size: it forwards their packets as they arrive, and the walkers of
 * {@code dev.comporta.tds.request} report what it has to know of them.
 *
 * <p>One thread at a time; message after message. The body of a message in one packet is that packet. The packets of
 * longer messages are copied together: each may be a slice of a buffer many times its size, and would keep all of it alive.
 */
public final class MessageAssembler {
    private static final int MIN_CAPACITY = 64;

    private final int maxBodyLength;
    private @Nullable ByteBuf body;
    private int type;
    private int firstStatus;
    private int lastStatus;

    public MessageAssembler(int maxBodyLength) {
        this.maxBodyLength = maxBodyLength;
    }

    /**
     * Takes one packet, header included.
     *
     * @return whether it was the message's last: then {@link #take} the message
     * @throws ProtocolException if its type differs from that of the message it continues, or the message gets too long; the
     *     packet and the message are released
     */
    public boolean add(ByteBuf packet) {
        int packetType = PacketHeader.type(packet);
        int status = PacketHeader.status(packet);
        if (body == null) {
            type = packetType;
            firstStatus = status;
        } else if (packetType != type) {
            packet.release();
            discard();
            throw new ProtocolException(
                    "%s packet within a %s message".formatted(PacketType.name(packetType), PacketType.name(type)));
        }
        lastStatus = status;
        append(packet);
        return (status & PacketHeader.STATUS_EOM) != 0;
    }

    private void append(ByteBuf packet) {
        int length = packet.readableBytes() - PacketHeader.LENGTH;
        if (bodyLength() + length > maxBodyLength) {
            packet.release();
            discard();
            throw new ProtocolException(
                    "%s message of more than %d bytes".formatted(PacketType.name(type), maxBodyLength));
        }
        packet.skipBytes(PacketHeader.LENGTH);
        if (body == null && (lastStatus & PacketHeader.STATUS_EOM) != 0) {
            body = packet;
            return;
        }
        try {
            if (body == null) {
                body = packet.alloc().buffer(Math.max(length, MIN_CAPACITY));
            }
            body.writeBytes(packet);
        } finally {
            packet.release();
        }
    }

    private int bodyLength() {
        return body == null ? 0 : body.readableBytes();
    }

    /** Whether a message has begun and not ended yet. */
    public boolean isInMessage() {
        return body != null;
    }

    /** The message's {@link PacketType}. */
    public int type() {
        return type;
    }

    /** The status byte of the first packet, which may ask for a reset. */
    public int firstStatus() {
        return firstStatus;
    }

    /** Whether the sender cancelled the message (EOM with IGNORE): it must not be executed. */
    public boolean isIgnored() {
        return (lastStatus & PacketHeader.STATUS_IGNORE) != 0;
    }

    /** The body, which the caller now owns; the next packet begins a new message. */
    public ByteBuf take() {
        if (body == null) {
            throw new IllegalStateException("there is no message");
        }
        ByteBuf whole = body;
        body = null;
        return whole;
    }

    /** Releases the packets received so far. */
    public void discard() {
        if (body != null) {
            body.release();
            body = null;
        }
    }
}

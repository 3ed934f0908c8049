package dev.comporta.tds.packet;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Puts the packets of one message together, for whoever has to see it whole: logins, and the server side of requests. A
 * proxy must not use it for requests, which may be of any size: there, packets go on as they come, and what has to be
 * known of a request is told by the walkers of {@code dev.comporta.tds.request}.
 *
 * <p>One thread at a time; message after message. Bodies are not copied: they are slices of the packets, side by side.
 */
public final class MessageAssembler {
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
     * @return whether it was the message's last: then {@link #take} it
     * @throws ProtocolException when it is of another type than the message it continues, or makes it too long; the packet
     *     is released, and so is the message
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
        if (body == null) {
            body = packet;
            return;
        }
        if (!(body instanceof CompositeByteBuf)) {
            body = packet.alloc().compositeBuffer(Integer.MAX_VALUE).addComponent(true, body);
        }
        ((CompositeByteBuf) body).addComponent(true, packet);
    }

    private int bodyLength() {
        return body == null ? 0 : body.readableBytes();
    }

    /** Whether packets have come of a message whose end has not. */
    public boolean isInMessage() {
        return body != null;
    }

    /** The message's {@link PacketType}. */
    public int type() {
        return type;
    }

    /** The status of the first packet, where a reset is asked for. */
    public int firstStatus() {
        return firstStatus;
    }

    /** Whether its sender gave it up: it must not be carried out. */
    public boolean isIgnored() {
        return (lastStatus & PacketHeader.STATUS_IGNORE) != 0;
    }

    /** The body, which the caller now owns; the next packet begins another message. */
    public ByteBuf take() {
        if (body == null) {
            throw new IllegalStateException("there is no message");
        }
        ByteBuf whole = body;
        body = null;
        return whole;
    }

    /** Releases what has come of a message. */
    public void discard() {
        if (body != null) {
            body.release();
            body = null;
        }
    }
}

package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * Walks a request as its packets pass. Whatever the layout, it comes down to two kinds of bytes: fields, numbers of up to
 * eight bytes that decide what comes next, and runs of bytes that are passed over or shown to somebody. Both may be cut
 * by the end of a packet anywhere, and only a cut field is remembered.
 *
 * <p>Borrows the packets. One thread at a time, message after message; a message that is given up ends like any other.
 */
abstract class RequestWalker {
    private boolean expectsField;
    private int fieldLength;
    private int fieldFilled;
    private long field;
    private long runLeft;
    private boolean inMessage;

    /**
     * Walks one packet, header included.
     *
     * @throws ProtocolException when the message can't be what it says it is; nothing more of it can be walked
     */
    public final void walk(ByteBuf packet) {
        if (!inMessage) {
            inMessage = true;
            begin();
        }
        walkBody(packet, packet.readerIndex() + PacketHeader.LENGTH, packet.writerIndex());
        int status = PacketHeader.status(packet);
        if ((status & PacketHeader.STATUS_EOM) != 0) {
            inMessage = false;
            if ((status & PacketHeader.STATUS_IGNORE) == 0) {
                end(expectsField && fieldFilled == 0);
            }
        }
    }

    /** Forgets the message that is being walked. */
    public final void reset() {
        inMessage = false;
    }

    private void walkBody(ByteBuf packet, int start, int end) {
        int index = start;
        while (true) {
            if (expectsField) {
                int part = Math.min(fieldLength - fieldFilled, end - index);
                collect(packet, index, part);
                index += part;
                if (fieldFilled < fieldLength) {
                    return;
                }
                onField(field, packet, index - fieldLength);
            } else {
                int part = (int) Math.min(runLeft, end - index);
                if (part > 0) {
                    onRun(packet, index, part);
                    index += part;
                    runLeft -= part;
                }
                if (runLeft > 0) {
                    return;
                }
                onRunEnd();
            }
        }
    }

    private void collect(ByteBuf packet, int index, int part) {
        if (fieldFilled == 0 && part == Integer.BYTES) {
            field = packet.getUnsignedIntLE(index);
        } else {
            for (int i = 0; i < part; i++) {
                field |= (long) packet.getUnsignedByte(index + i) << (8 * (fieldFilled + i));
            }
        }
        fieldFilled += part;
    }

    /** Next comes a number of 1 to 8 bytes, little-endian. */
    final void expectField(int length) {
        expectsField = true;
        fieldLength = length;
        fieldFilled = 0;
        field = 0;
    }

    /** Next come so many bytes, none perhaps. */
    final void expectRun(long length) {
        expectsField = false;
        runLeft = length;
    }

    final int fieldLength() {
        return fieldLength;
    }

    /** Whether the last packet ended within a field. */
    final boolean isFieldCut() {
        return inMessage && expectsField && fieldFilled > 0;
    }

    /** A message begins: says what is expected. */
    abstract void begin();

    /**
     * A field is complete: says what is expected next.
     *
     * @param index of its first byte; before the packet's body, by as many bytes as came in the packet before
     */
    abstract void onField(long value, ByteBuf packet, int index);

    /** Part of a run of bytes. */
    abstract void onRun(ByteBuf packet, int index, int length);

    /** A run of bytes is over: says what is expected next. */
    abstract void onRunEnd();

    /**
     * The message is over.
     *
     * @param betweenFields whether a field is expected of which nothing has come
     * @throws ProtocolException when it can't be over here
     */
    abstract void end(boolean betweenFields);

    /** Checks a length of ALL_HEADERS and makes them a run. */
    final void expectHeaders(long totalLength) {
        if (totalLength < Integer.BYTES) {
            throw new ProtocolException("ALL_HEADERS of %d bytes".formatted(totalLength));
        }
        expectRun(totalLength - Integer.BYTES);
    }
}

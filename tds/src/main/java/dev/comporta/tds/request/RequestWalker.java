package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * Walks a request as its packets pass. Every layout is a sequence of two kinds of bytes: fields, which are numbers of up to
 * eight bytes that decide what comes next, and runs, which are skipped or shown to the subclass. Both may be cut anywhere
 * by the end of a packet, and only a cut field is remembered.
 *
 * <p>Borrows the packets. One thread at a time, message after message; a cancelled message ends like any other.
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
     * @throws ProtocolException if the message is malformed; no more of it can be walked
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

    /** Abandons the message that is being walked. */
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

    /** Expects a number of 1 to 8 bytes, little-endian. */
    final void expectField(int length) {
        expectsField = true;
        fieldLength = length;
        fieldFilled = 0;
        field = 0;
    }

    /** Expects a run of this many bytes; it may be empty. */
    final void expectRun(long length) {
        expectsField = false;
        runLeft = length;
    }

    final int fieldLength() {
        return fieldLength;
    }

    final boolean isFieldCut() {
        return inMessage && expectsField && fieldFilled > 0;
    }

    /** A message begins: the subclass says what is expected. */
    abstract void begin();

    /**
     * A field is complete: the subclass says what is expected next.
     *
     * @param index of its first byte; below the start of the packet's body by the number of bytes that the previous packet held
     */
    abstract void onField(long value, ByteBuf packet, int index);

    /** Part of a run of bytes. */
    abstract void onRun(ByteBuf packet, int index, int length);

    /** A run of bytes is complete: the subclass says what is expected next. */
    abstract void onRunEnd();

    /**
     * The message has ended.
     *
     * @param betweenFields whether a field is expected and none of its bytes has come
     * @throws ProtocolException if the message can't end here
     */
    abstract void end(boolean betweenFields);

    /** Checks the total length of ALL_HEADERS and expects the headers as a run. */
    final void expectHeaders(long totalLength) {
        if (totalLength < Integer.BYTES) {
            throw new ProtocolException("ALL_HEADERS of %d bytes".formatted(totalLength));
        }
        expectRun(totalLength - Integer.BYTES);
    }
}

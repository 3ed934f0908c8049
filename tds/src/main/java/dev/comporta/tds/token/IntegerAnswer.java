package dev.comporta.tds.token;

import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;

/**
 * Reads a response that consists of one integer: the answer to one of the proxy's own questions, such as
 * {@code SELECT @@TRANCOUNT}. It decides whether a connection may be shared, so nothing is inferred: a response with an
 * error, without a row, with two rows, of another type, or cut short is no answer.
 */
public final class IntegerAnswer {
    /** No integer was returned. Outside the range of the four-byte integers that are read. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int INT_BYTES = 4;

    private final ByteBuf response;
    private final WireFormat format;
    private int at;
    private boolean described;
    private boolean nullable;
    private long value = NONE;

    private IntegerAnswer(ByteBuf response, WireFormat format) {
        this.response = response;
        this.format = format;
        at = response.readerIndex();
    }

    /** Borrows the whole response, without packet headers. */
    public static long read(ByteBuf response, WireFormat format) {
        try {
            IntegerAnswer answer = new IntegerAnswer(response, format);
            return answer.isWhole() ? answer.value : NONE;
        } catch (IndexOutOfBoundsException cutShort) {
            return NONE;
        }
    }

    /** @return whether every byte is understood, and the response is complete */
    private boolean isWhole() {
        boolean ended = false;
        while (at < response.writerIndex()) {
            switch (response.getUnsignedByte(at++)) {
                case TokenType.ENVCHANGE, TokenType.INFO -> at += Short.BYTES + response.getUnsignedShortLE(at);
                case TokenType.COLMETADATA -> {
                    if (described || !readColumn()) {
                        return false;
                    }
                    described = true;
                }
                case TokenType.ROW -> {
                    if (!described || value != NONE || !readValue()) {
                        return false;
                    }
                }
                case TokenType.DONE, TokenType.DONEPROC, TokenType.DONEINPROC -> {
                    int status = response.getUnsignedShortLE(at);
                    at += 2 * Short.BYTES + (format.version().hasLongRowCounts() ? Long.BYTES : Integer.BYTES);
                    if ((status & (DoneStatus.ERROR | DoneStatus.ATTN)) != 0) {
                        return false;
                    }
                    ended = (status & DoneStatus.MORE) == 0;
                }
                default -> {
                    return false;
                }
            }
        }
        return ended && at == response.writerIndex();
    }

    private boolean readColumn() {
        int columns = response.getUnsignedShortLE(at);
        at += Short.BYTES;
        if (columns != 1) {
            return false;
        }
        if (format.columnEncryption()) {
            int keys = response.getUnsignedShortLE(at);
            at += Short.BYTES;
            if (keys != 0) {
                return false;
            }
        }
        at += (format.version().hasLongUserTypes() ? Integer.BYTES : Short.BYTES) + Short.BYTES;
        int type = response.getUnsignedByte(at++);
        nullable = type == DataType.INTN.code();
        if (nullable ? response.getUnsignedByte(at++) != INT_BYTES : type != DataType.INT4.code()) {
            return false;
        }
        at += 1 + Character.BYTES * response.getUnsignedByte(at);
        return true;
    }

    private boolean readValue() {
        if (nullable && response.getUnsignedByte(at++) != INT_BYTES) {
            return false;
        }
        value = response.getIntLE(at);
        at += INT_BYTES;
        return true;
    }
}

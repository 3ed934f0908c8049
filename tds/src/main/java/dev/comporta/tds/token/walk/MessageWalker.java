package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;

/** Walks ERROR and INFO, and decodes their text if the sink wants it. */
final class MessageWalker {
    /** Number, state and class. */
    private static final int HEAD_BYTES = 6;

    private final Cursor cursor;
    private final TokenSink sink;
    /** Bytes of the token after the head. */
    private int length;
    /** Whether the end of a packet interrupted the walk after the head. */
    private boolean isInText;

    private boolean isTextWanted;
    /** The width of the line number: the bytes that the last message had left after its text fields. */
    private int lineBytes;

    MessageWalker(Cursor cursor, TokenSink sink) {
        this.cursor = cursor;
        this.sink = sink;
    }

    /**
     * @param settled whether the server has announced its version
     * @return false if the rest is in the next packet
     */
    boolean walk(ByteBuf packet, int token, WireFormat format, boolean settled) {
        if (!isInText) {
            if (!head(packet, token)) {
                return false;
            }
            if (!isTextWanted && settled) {
                cursor.skip(length);
                return true;
            }
        }
        isInText = !cursor.gather(packet, length);
        if (isInText) {
            return false;
        }
        text(cursor.gathered(packet).slice(cursor.gatheredFrom(), length), format, settled);
        return true;
    }

    /** Reads the length and the fields of the head as one field. */
    private boolean head(ByteBuf packet, int token) {
        if (!cursor.take(packet, Short.BYTES + HEAD_BYTES)) {
            return false;
        }
        long head = cursor.field;
        length = ((int) head & 0xFFFF) - HEAD_BYTES;
        if (length < 0) {
            throw new ProtocolException("it is too short");
        }
        int number = (int) (head >>> 16);
        int state = (int) (head >>> 48) & 0xFF;
        int severity = (int) (head >>> 56);
        isTextWanted =
                token == TokenType.ERROR ? sink.error(number, state, severity) : sink.info(number, state, severity);
        return true;
    }

    private void text(ByteBuf text, WireFormat format, boolean settled) {
        try {
            String message = Ucs2.readShortLength(text);
            String server = Ucs2.readByteLength(text);
            String procedure = Ucs2.readByteLength(text);
            lineBytes = text.readableBytes();
            boolean longLine = settled ? format.version().hasLongLineNumbers() : hasLongLine();
            int line = longLine ? text.readIntLE() : text.readUnsignedShortLE();
            if (isTextWanted) {
                sink.messageText(message, server, procedure, line);
            }
        } catch (IndexOutOfBoundsException _) {
            throw new ProtocolException("its text is longer than the token");
        }
    }

    private boolean hasLongLine() {
        return lineBytes >= Integer.BYTES;
    }

    /**
     * The format of a server that has not announced its version: the width of the line number in its last message determines
     * where DONE ends.
     */
    WireFormat guess(WireFormat format) {
        return hasLongLine() == format.version().hasLongLineNumbers()
                ? format
                : format.with(hasLongLine() ? TdsVersion.V7_2 : TdsVersion.V7_1);
    }
}

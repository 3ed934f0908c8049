package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Partially length-prefixed values: the total, chunks with a length each, and an empty chunk at the end. A value of any
 * size can be written chunk by chunk, without ever being whole in memory.
 */
public final class Plp {
    public static final long NULL = 0xFFFFFFFFFFFFFFFFL;
    public static final long UNKNOWN_LENGTH = 0xFFFFFFFFFFFFFFFEL;

    private Plp() {}

    public static void writeNull(ByteBuf out) {
        out.writeLongLE(NULL);
    }

    /** @param total bytes, or {@link #UNKNOWN_LENGTH} */
    public static void begin(ByteBuf out, long total) {
        out.writeLongLE(total);
    }

    public static void end(ByteBuf out) {
        out.writeIntLE(0);
    }

    /** Reads a whole value, or null. */
    static byte @Nullable [] read(ByteBuf in) {
        long total = in.readLongLE();
        if (total == NULL) {
            return null;
        }
        int start = in.readerIndex();
        long length = skipChunks(in);
        if (total != UNKNOWN_LENGTH && total != length) {
            throw new ProtocolException("value of %d bytes has %d in its chunks".formatted(total, length));
        }
        byte[] value = new byte[(int) length];
        int end = in.readerIndex();
        in.readerIndex(start);
        for (int at = 0; at < value.length; ) {
            int chunk = in.readIntLE();
            in.readBytes(value, at, chunk);
            at += chunk;
        }
        in.readerIndex(end);
        return value;
    }

    static void skip(ByteBuf in) {
        if (in.readLongLE() != NULL) {
            skipChunks(in);
        }
    }

    /** Checks that the chunks have arrived before memory is allocated, so that the bytes received limit their sum. */
    private static long skipChunks(ByteBuf in) {
        long sum = 0;
        for (long chunk = in.readUnsignedIntLE(); chunk != 0; chunk = in.readUnsignedIntLE()) {
            if (chunk > in.readableBytes()) {
                throw new ProtocolException("chunk of %d bytes exceeds its message".formatted(chunk));
            }
            in.skipBytes((int) chunk);
            sum += chunk;
        }
        return sum;
    }
}

package dev.comporta.tds.token.walk;

import io.netty.buffer.ByteBuf;

/**
 * Skips names and other fields with a length before them, in a row. The sequence is packed into a long, one byte per field,
 * the first in the lowest: the width of its length, and whether that counts bytes or characters.
 */
public final class Names {
    private static final long B_VARCHAR = 0x01;
    private static final long US_VARCHAR = 0x02;
    private static final long US_VARBYTE = 0x12;
    private static final int WIDTH_MASK = 0x0F;
    private static final int COUNTS_BYTES = 0x10;

    static final long ONE_NAME = B_VARCHAR;
    static final long ONE_LONG_NAME = US_VARCHAR;
    static final long TWO_NAMES = B_VARCHAR | B_VARCHAR << 8;
    /** Database, schema, collection. */
    static final long XML_SCHEMA = B_VARCHAR | B_VARCHAR << 8 | US_VARCHAR << 16;
    /** Database, schema, type, assembly. */
    static final long CLR_TYPE = B_VARCHAR | B_VARCHAR << 8 | B_VARCHAR << 16 | US_VARCHAR << 24;
    /** The encrypted key, its store, its path, the algorithm. */
    static final long ENCRYPTED_KEY = US_VARBYTE | B_VARCHAR << 8 | US_VARCHAR << 16 | B_VARCHAR << 24;

    private final Cursor cursor;
    private long left;

    Names(Cursor cursor) {
        this.cursor = cursor;
    }

    void begin(long names) {
        left = names;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet) {
        while (left != 0) {
            int width = (int) left & WIDTH_MASK;
            if (!cursor.take(packet, width)) {
                return false;
            }
            cursor.skip((left & COUNTS_BYTES) != 0 ? cursor.field : 2 * cursor.field);
            left >>>= 8;
        }
        return true;
    }
}

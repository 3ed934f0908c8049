package dev.comporta.tds.token.walk;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;

/** Walks CryptoMetaData: the type of an encrypted column when decrypted, and how it was encrypted. */
final class CryptoWalker {
    private enum State {
        TYPE,
        ALGORITHM,
        ALGORITHM_NAME
    }

    private static final int CUSTOM_ALGORITHM = 0;

    private final Cursor cursor;
    private final TypeWalker type;
    private final Names names;
    private State state = State.TYPE;

    CryptoWalker(Cursor cursor) {
        this.cursor = cursor;
        type = new TypeWalker(cursor);
        names = new Names(cursor);
    }

    /** @param hasOrdinal whether it names a key of COLMETADATA's table; RETURNVALUE has no such table */
    void begin(boolean hasOrdinal) {
        cursor.skip((hasOrdinal ? Short.BYTES : 0) + Integer.BYTES);
        type.begin();
        state = State.TYPE;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, TdsVersion version) {
        if (state == State.TYPE) {
            if (!type.walk(packet, version)) {
                return false;
            }
            state = State.ALGORITHM;
        }
        if (state == State.ALGORITHM) {
            if (!cursor.take(packet, 1)) {
                return false;
            }
            names.begin(cursor.field == CUSTOM_ALGORITHM ? Names.ONE_NAME : 0);
            state = State.ALGORITHM_NAME;
        }
        if (!names.walk(packet)) {
            return false;
        }
        cursor.skip(2); // encryption type and normalization
        return true;
    }
}

package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;

/** Walks DATACLASSIFICATION, in the version that the login negotiated. */
final class ClassificationWalker {
    private enum State {
        LABEL_COUNT,
        LABELS,
        TYPE_COUNT,
        TYPES,
        COLUMN_COUNT,
        COLUMNS
    }

    /** The first version in which labels have a rank. */
    private static final int WITH_RANK = 2;

    private final Cursor cursor;
    private final Names names;
    private State state = State.LABEL_COUNT;
    private int left;

    ClassificationWalker(Cursor cursor) {
        this.cursor = cursor;
        names = new Names(cursor);
    }

    void begin(WireFormat format) {
        if (format.dataClassification() == 0) {
            throw new ProtocolException("data classification was not negotiated at login");
        }
        if (format.dataClassification() > WITH_RANK) {
            throw new ProtocolException("unknown version %d".formatted(format.dataClassification()));
        }
        state = State.LABEL_COUNT;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet, WireFormat format) {
        int rank = format.dataClassification() >= WITH_RANK ? Integer.BYTES : 0;
        while (true) {
            switch (state) {
                case LABEL_COUNT -> {
                    if (!count(packet, State.LABELS)) {
                        return false;
                    }
                }
                case LABELS -> {
                    if (!namePairs(packet, State.TYPE_COUNT)) {
                        return false;
                    }
                }
                case TYPE_COUNT -> {
                    if (!count(packet, State.TYPES)) {
                        return false;
                    }
                }
                case TYPES -> {
                    if (!namePairs(packet, State.COLUMN_COUNT)) {
                        return false;
                    }
                    cursor.skip(rank);
                }
                case COLUMN_COUNT -> {
                    if (!count(packet, State.COLUMNS)) {
                        return false;
                    }
                }
                case COLUMNS -> {
                    return columns(packet, 2 * Short.BYTES + rank);
                }
            }
        }
    }

    private boolean count(ByteBuf packet, State next) {
        if (!cursor.take(packet, 2)) {
            return false;
        }
        left = (int) cursor.field;
        names.begin(Names.TWO_NAMES);
        state = next;
        return true;
    }

    /** The name and identifier of each label or information type. */
    private boolean namePairs(ByteBuf packet, State next) {
        while (left > 0) {
            if (!names.walk(packet)) {
                return false;
            }
            names.begin(Names.TWO_NAMES);
            left--;
        }
        state = next;
        return true;
    }

    private boolean columns(ByteBuf packet, int sourceBytes) {
        while (left > 0) {
            if (!cursor.take(packet, 2)) {
                return false;
            }
            cursor.skip(cursor.field * sourceBytes);
            left--;
        }
        return true;
    }
}

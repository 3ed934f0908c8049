package dev.comporta.tds.token;

import dev.comporta.tds.ProtocolException;

/** Passes over DATACLASSIFICATION, in the version that the login settled. */
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
            throw new ProtocolException("the login did not settle its form");
        }
        if (format.dataClassification() > WITH_RANK) {
            throw new ProtocolException("unknown version %d".formatted(format.dataClassification()));
        }
        state = State.LABEL_COUNT;
    }

    /** @return false when the rest is in the next packet */
    boolean walk(WireFormat format) {
        int rank = format.dataClassification() >= WITH_RANK ? Integer.BYTES : 0;
        while (true) {
            switch (state) {
                case LABEL_COUNT -> {
                    if (!count(State.LABELS)) {
                        return false;
                    }
                }
                case LABELS -> {
                    if (!namePairs(State.TYPE_COUNT)) {
                        return false;
                    }
                }
                case TYPE_COUNT -> {
                    if (!count(State.TYPES)) {
                        return false;
                    }
                }
                case TYPES -> {
                    if (!namePairs(State.COLUMN_COUNT)) {
                        return false;
                    }
                    cursor.skip(rank);
                }
                case COLUMN_COUNT -> {
                    if (!count(State.COLUMNS)) {
                        return false;
                    }
                }
                case COLUMNS -> {
                    return columns(2 * Short.BYTES + rank);
                }
            }
        }
    }

    private boolean count(State next) {
        if (!cursor.take(2)) {
            return false;
        }
        left = (int) cursor.field;
        names.begin(Names.TWO_NAMES);
        state = next;
        return true;
    }

    /** The name and identifier of each label or information type. */
    private boolean namePairs(State next) {
        while (left > 0) {
            if (!names.walk()) {
                return false;
            }
            names.begin(Names.TWO_NAMES);
            left--;
        }
        state = next;
        return true;
    }

    private boolean columns(int sourceBytes) {
        while (left > 0) {
            if (!cursor.take(2)) {
                return false;
            }
            cursor.skip(cursor.field * sourceBytes);
            left--;
        }
        return true;
    }
}

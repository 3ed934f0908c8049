package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Skips the values of rows: ROW, NBCROW, ALTROW, and the single value of RETURNVALUE. Values with a short length are a step
 * of arithmetic in a loop over the packet; all others, and those cut by a packet's end, are walked field by field.
 */
final class RowWalker {
    private enum State {
        NULL_BITMAP,
        COLUMNS,
        SHORT_LENGTH,
        LONG_LENGTH,
        TEXT_POINTER,
        PLP_TOTAL,
        PLP_CHUNK
    }

    private static final int NULL_SHORT_LENGTH = 0xFFFF;
    private static final long NULL_LONG_LENGTH = 0xFFFFFFFFL;
    private static final long PLP_NULL = 0xFFFFFFFFFFFFFFFFL;
    private static final int TIMESTAMP = 8;
    private static final int INITIAL_BITMAP = 32;

    private final Cursor cursor;
    private State state = State.COLUMNS;
    private int[] columns = {};
    private int count;
    /** The index of the next column, or of the one being walked. */
    private int column;
    /** The size of the null bitmap; 0 for rows without one. */
    private int bitmapBytes;

    private int bitmapTaken;
    private byte[] bitmap = new byte[INITIAL_BITMAP];
    /** The token that may follow a row directly, so that row after row stays in the loop; -1 for none. */
    private int repeatedBy = -1;
    /** The position in the response where the current row began, if it directly follows another. */
    private long began;
    /** See {@link Columns#fullRow}; 0 also if no row may follow directly. */
    private int fullRow;

    RowWalker(Cursor cursor) {
        this.cursor = cursor;
    }

    void beginRow(Columns format) {
        begin(format.runs(), format.runCount());
        repeatedBy = TokenType.ROW;
        fullRow = format.fullRow();
    }

    void beginNullBitmapRow(Columns format) {
        begin(format.columns(), format.count());
        bitmapBytes = (count + 7) >> 3;
        bitmapTaken = 0;
        if (bitmap.length < bitmapBytes) {
            bitmap = Arrays.copyOf(bitmap, Math.max(bitmapBytes, 2 * bitmap.length));
        }
        state = State.NULL_BITMAP;
    }

    void beginAltRow(Columns format) {
        begin(format.runs(), format.runCount());
    }

    /** @param one an array of a single column */
    void beginValue(int[] one) {
        begin(one, 1);
    }

    /** References are written only when they change: writing one to an object this old costs a GC barrier. */
    @SuppressWarnings("ReferenceEquality")
    private void begin(int[] theColumns, int theCount) {
        if (columns != theColumns) {
            columns = theColumns;
        }
        if (state != State.COLUMNS) {
            state = State.COLUMNS;
        }
        count = theCount;
        column = 0;
        bitmapBytes = 0;
        repeatedBy = -1;
        fullRow = 0;
        began = 0;
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet) {
        while (true) {
            boolean here = switch (state) {
                case NULL_BITMAP -> nullBitmap(packet);
                case COLUMNS -> bitmapBytes == 0 ? columns(packet) : columnsNotNull(packet);
                case SHORT_LENGTH -> shortLength(packet);
                case LONG_LENGTH -> longLength(packet);
                case TEXT_POINTER -> textPointer(packet);
                case PLP_TOTAL -> plpTotal(packet);
                case PLP_CHUNK -> plpChunk(packet);
            };
            if (!here) {
                return false;
            }
            if (column == count) {
                return true;
            }
        }
    }

    /** Skips row after row, as long as their values are short and in the packet. */
    private boolean columns(ByteBuf packet) {
        int end = cursor.end;
        long address = Memory.addressOf(packet);
        int[] steps = columns;
        int last = count;
        int at = cursor.at;
        int i = column;
        while (true) {
            for (; i < last; i++) {
                if (at >= end) {
                    return suspend(i, at);
                }
                int next = pass(packet, address, at, end, steps[i]);
                if (next < 0) {
                    return enter(i, at);
                }
                at = next;
            }
            if (fullRow > 1 && address != Memory.NONE) {
                at = passFullRows(address, at, end);
            }
            if (at >= end || Memory.unsignedByte(packet, address, at) != repeatedBy) {
                column = i;
                cursor.moveTo(at);
                return true;
            }
            began = cursor.position(at);
            at++;
            i = 0;
        }
    }

    /** @param first where the first of a sequence of rows began */
    long began(long first) {
        return Math.max(first, began);
    }

    /**
     * Skips the rows that are whole in the packet and have all their values at full length. All of these have the same length:
     * where the next one begins is known before this one is read, so the processor reads several at a time.
     *
     * @param address of the packet, which is outside of the heap
     */
    private int passFullRows(long address, int first, int end) {
        int[] steps = columns;
        int last = count;
        int length = fullRow;
        boolean hasLength = Columns.kind(steps[0]) == Columns.BYTE_LENGTH;
        // The token and the first length, if there is one, are compared in one read.
        int head = hasLength ? TokenType.ROW | Columns.width(steps[0]) << Byte.SIZE : TokenType.ROW;
        int headMask = hasLength ? 0xFFFF : 0xFF;
        int second = (hasLength ? 2 : 1) + Columns.width(steps[0]);
        int at = first;
        while (end - at >= length
                && (Memory.unsignedShort(address, at) & headMask) == head
                && (last == 1 || isFullFromSecond(address, at + second))) {
            at += length;
        }
        return at;
    }

    private boolean isFullFromSecond(long address, int from) {
        int at = from;
        for (int i = 1; i < count; i++) {
            int width = Columns.width(columns[i]);
            if (Columns.kind(columns[i]) == Columns.BYTE_LENGTH) {
                if (Memory.unsignedByte(address, at) != width) {
                    return false;
                }
                at++;
            }
            at += width;
        }
        return true;
    }

    /** Like {@link #columns}, for one row with a bitmap: its nulls have no bytes. */
    private boolean columnsNotNull(ByteBuf packet) {
        int end = cursor.end;
        long address = Memory.addressOf(packet);
        int at = cursor.at;
        int i = column;
        for (; i < count; i++) {
            if ((bitmap[i >> 3] & 1 << (i & 7)) != 0) {
                continue;
            }
            if (at >= end) {
                return suspend(i, at);
            }
            int next = pass(packet, address, at, end, columns[i]);
            if (next < 0) {
                return enter(i, at);
            }
            at = next;
        }
        column = i;
        cursor.moveTo(at);
        return true;
    }

    /**
     * The index where the next column begins, possibly beyond the packet's end; or -1 if this column must be walked field by
     * field.
     */
    private int pass(ByteBuf packet, long address, int at, int end, int step) {
        int width = Columns.width(step);
        return switch (Columns.kind(step)) {
            case Columns.FIXED -> at + width;
            case Columns.BYTE_LENGTH -> passByteLength(at, Memory.unsignedByte(packet, address, at), width);
            case Columns.SHORT_LENGTH ->
                end - at < Short.BYTES ? -1 : passShortLength(at, Memory.unsignedShort(packet, address, at), width);
            case Columns.PLP -> passPlp(packet, at, end);
            default -> -1;
        };
    }

    /** Most (max) values are short: one chunk, whole in the packet. */
    private static int passPlp(ByteBuf packet, int at, int end) {
        if (end - at < Long.BYTES) {
            return -1;
        }
        long total = packet.getLongLE(at);
        int chunk = at + Long.BYTES;
        if (total == PLP_NULL) {
            return chunk;
        }
        if (total <= 0 || total > end - chunk - 2 * Integer.BYTES || packet.getIntLE(chunk) != total) {
            return -1;
        }
        int terminator = chunk + Integer.BYTES + (int) total;
        return packet.getIntLE(terminator) == 0 ? terminator + Integer.BYTES : -1;
    }

    private int passByteLength(int at, int length, int longest) {
        if (length > longest) {
            throw tooLong(at, length, longest);
        }
        return at + 1 + length;
    }

    private int passShortLength(int at, int length, int longest) {
        if (length == NULL_SHORT_LENGTH) {
            return at + Short.BYTES;
        }
        if (length > longest) {
            throw tooLong(at, length, longest);
        }
        return at + Short.BYTES + length;
    }

    /** A value longer than its type allows shows that the walk is out of step: fail rather than go on. */
    private ProtocolException tooLong(int at, int length, int longest) {
        cursor.at = at;
        return new ProtocolException("value of %d bytes in a column of at most %d".formatted(length, longest));
    }

    private boolean suspend(int nextColumn, int at) {
        column = nextColumn;
        cursor.moveTo(at);
        return false;
    }

    /** Begins to walk a column field by field. */
    private boolean enter(int thisColumn, int at) {
        column = thisColumn;
        cursor.moveTo(at);
        state = switch (Columns.kind(columns[thisColumn])) {
            case Columns.SHORT_LENGTH -> State.SHORT_LENGTH;
            case Columns.LONG_LENGTH -> State.LONG_LENGTH;
            case Columns.TEXT_POINTER -> State.TEXT_POINTER;
            case Columns.PLP -> State.PLP_TOTAL;
            default -> throw new IllegalStateException();
        };
        return true;
    }

    private boolean nullBitmap(ByteBuf packet) {
        int part = Math.min(bitmapBytes - bitmapTaken, cursor.end - cursor.at);
        packet.getBytes(cursor.at, bitmap, bitmapTaken, part);
        cursor.at += part;
        bitmapTaken += part;
        if (bitmapTaken < bitmapBytes) {
            return false;
        }
        state = State.COLUMNS;
        return true;
    }

    private boolean shortLength(ByteBuf packet) {
        if (!cursor.take(packet, 2)) {
            return false;
        }
        if (cursor.field != NULL_SHORT_LENGTH) {
            int longest = Columns.width(columns[column]);
            if (cursor.field > longest) {
                throw tooLong(cursor.at, (int) cursor.field, longest);
            }
            cursor.skip(cursor.field);
        }
        return nextColumn();
    }

    private boolean longLength(ByteBuf packet) {
        if (!cursor.take(packet, 4)) {
            return false;
        }
        if (cursor.field != NULL_LONG_LENGTH) {
            if (cursor.field > Integer.MAX_VALUE) {
                throw new ProtocolException("value of %d bytes".formatted(cursor.field));
            }
            cursor.skip(cursor.field);
        }
        return nextColumn();
    }

    private boolean textPointer(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return false;
        }
        if (cursor.field == 0) {
            return nextColumn();
        }
        cursor.skip(cursor.field + TIMESTAMP);
        state = State.LONG_LENGTH;
        return true;
    }

    private boolean plpTotal(ByteBuf packet) {
        if (!cursor.take(packet, 8)) {
            return false;
        }
        if (cursor.field == PLP_NULL) {
            return nextColumn();
        }
        state = State.PLP_CHUNK;
        return true;
    }

    private boolean plpChunk(ByteBuf packet) {
        while (cursor.take(packet, 4)) {
            if (cursor.field == 0) {
                return nextColumn();
            }
            cursor.skip(cursor.field);
        }
        return false;
    }

    private boolean nextColumn() {
        column++;
        state = State.COLUMNS;
        return true;
    }
}

package dev.comporta.proxy.prepared;

import io.netty.buffer.ByteBuf;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The batch {@code EXEC sp_unprepare 3;EXEC sp_unprepare 7;}, by which mssql-jdbc unprepares handles. A text with anything
 * else in it does not count.
 */
public final class UnprepareBatch {
    private static final String CALL = "EXEC SP_UNPREPARE ";

    private final ByteBuf text;
    private int at;

    private UnprepareBatch(ByteBuf text) {
        this.text = text;
        at = text.readerIndex();
    }

    /** Whether a text may be one: a cheap check that rules out most others. Borrows it. */
    public static boolean maybe(ByteBuf packet, int textAt) {
        return packet.writerIndex() - textAt > 2 * CALL.length() && startsWithCall(packet, textAt);
    }

    /**
     * @param text in UTF-16LE, borrowed
     * @return the handles, in the order of the text; null if it is another text
     */
    public static int @Nullable [] read(ByteBuf text) {
        return new UnprepareBatch(text).read();
    }

    private int @Nullable [] read() {
        IntStream.Builder handles = IntStream.builder();
        boolean any = false;
        skipSeparators();
        while (at < text.writerIndex()) {
            if (!startsWithCall(text, at)) {
                return null;
            }
            at += 2 * CALL.length();
            long number = number();
            boolean separated = at >= text.writerIndex() || isSeparator(charAt(at));
            if (number < 0 || !separated) {
                return null;
            }
            handles.add((int) number);
            any = true;
            skipSeparators();
        }
        return any ? handles.build().toArray() : null;
    }

    /** A decimal number that fits an INT; -1 for anything else. */
    private long number() {
        long number = -1;
        while (at + 1 < text.writerIndex() && charAt(at) >= '0' && charAt(at) <= '9') {
            number = 10 * Math.max(0, number) + charAt(at) - '0';
            if (number > Integer.MAX_VALUE) {
                return -1;
            }
            at += 2;
        }
        return number;
    }

    private void skipSeparators() {
        while (at + 1 < text.writerIndex() && isSeparator(charAt(at))) {
            at += 2;
        }
    }

    private static boolean isSeparator(int c) {
        return c == ';' || c == ' ' || c == '\r' || c == '\n' || c == '\t';
    }

    private int charAt(int index) {
        return index + 1 < text.writerIndex() ? text.getUnsignedShortLE(index) : 0;
    }

    private static boolean startsWithCall(ByteBuf text, int index) {
        if (text.writerIndex() - index < 2 * CALL.length()) {
            return false;
        }
        for (int i = 0; i < CALL.length(); i++) {
            int c = text.getUnsignedShortLE(index + 2 * i);
            if ((c >= 'a' && c <= 'z' ? c - 32 : c) != CALL.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}

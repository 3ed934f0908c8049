package dev.comporta.proxy.prepared;

import dev.comporta.tds.request.SystemProcedure;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batch {@code EXEC sp_unprepare 3;EXEC sp_cursorunprepare 7;}, by which mssql-jdbc unprepares handles of statements and
 * cursors. A text with anything else in it does not count.
 */
public final class UnprepareBatch {
    /** A call of sp_unprepare or sp_cursorunprepare. */
    public record Call(int procedure, int handle) {}

    private static final String CALL = "EXEC SP_UNPREPARE ";
    private static final String CURSOR_CALL = "EXEC SP_CURSORUNPREPARE ";

    private final ByteBuf text;
    private int at;

    private UnprepareBatch(ByteBuf text) {
        this.text = text;
        at = text.readerIndex();
    }

    /** Whether a text may be one: a cheap check that rules out most others. Borrows it. */
    public static boolean maybe(ByteBuf packet, int textAt) {
        return startsWith(CALL, packet, textAt) || startsWith(CURSOR_CALL, packet, textAt);
    }

    /**
     * @param text in UTF-16LE, borrowed
     * @return the calls, in the order of the text; null if it is another text
     */
    public static @Nullable List<Call> read(ByteBuf text) {
        return new UnprepareBatch(text).read();
    }

    private @Nullable List<Call> read() {
        List<Call> calls = new ArrayList<>();
        skipSeparators();
        while (at < text.writerIndex()) {
            boolean ofCursor = startsWith(CURSOR_CALL, text, at);
            if (!ofCursor && !startsWith(CALL, text, at)) {
                return null;
            }
            at += 2 * (ofCursor ? CURSOR_CALL : CALL).length();
            long number = number();
            boolean separated = at >= text.writerIndex() || isSeparator(charAt(at));
            if (number < 0 || !separated) {
                return null;
            }
            calls.add(new Call(ofCursor ? SystemProcedure.CURSOR_UNPREPARE : SystemProcedure.UNPREPARE, (int) number));
            skipSeparators();
        }
        return calls.isEmpty() ? null : calls;
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

    private static boolean startsWith(String call, ByteBuf text, int index) {
        if (text.writerIndex() - index <= 2 * call.length()) {
            return false;
        }
        for (int i = 0; i < call.length(); i++) {
            int c = text.getUnsignedShortLE(index + 2 * i);
            if ((c >= 'a' && c <= 'z' ? c - 32 : c) != call.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}

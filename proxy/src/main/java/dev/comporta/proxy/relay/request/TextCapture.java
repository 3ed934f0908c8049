package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.CursorOptions;
import dev.comporta.proxy.prepared.PreparedIn;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.prepared.PreparedText.Kind;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.TextFindings;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the statement that a request prepares, while its packets are relayed. Borrows the packets. */
final class TextCapture {
    /** A longer statement is probably generated, including its values: it would not be prepared a second time. */
    private static final int MOST_BYTES = 128 * 1024;

    /** Memory that is kept for the next statement. */
    private static final int KEPT_BYTES = 4 * 1024;

    private static final byte[] NOTHING = new byte[0];

    /** Findings of a text that was not scanned: it may do anything. */
    private static final TextFindings ANYTHING = new TextFindings(0, true, false, true, false);

    private byte[] bytes = NOTHING;
    private int size;
    /** Where the statement begins, after the declaration; negative before. */
    private int statementAt;

    /** Whether it was collected completely. */
    private boolean whole;
    /** Whether it is not even known which text is prepared. */
    private boolean spoilt;

    private int flags;
    private int scroll;
    private int concurrency;
    private TextFindings found = ANYTHING;
    private ProcedureRules rules = ProcedureRules.SHARE;

    void begin() {
        if (bytes.length > KEPT_BYTES) {
            bytes = NOTHING;
        }
        size = 0;
        statementAt = -1;
        whole = true;
        spoilt = false;
        flags = 0;
        scroll = 0;
        concurrency = 0;
        found = ANYTHING;
    }

    /** It is not known what is prepared. */
    void spoil() {
        whole = false;
        spoilt = true;
        found = ANYTHING;
    }

    void beginStatement() {
        if (statementAt >= 0) {
            spoil();
        }
        statementAt = size;
    }

    /** The next bytes of the declaration, or of the statement once that has begun. */
    void append(ByteBuf packet, int index, int length) {
        if (!whole) {
            return;
        }
        if (size + length > MOST_BYTES) {
            whole = false;
            return;
        }
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, Math.min(MOST_BYTES, 2 * bytes.length)));
        }
        packet.getBytes(index, bytes, size, length);
        size += length;
    }

    void scanned(TextFindings findings, ProcedureRules by) {
        if (!spoilt) {
            found = findings;
            rules = by;
        }
    }

    void flags(long value) {
        flags = (int) value;
    }

    void scroll(long value) {
        scroll = (int) value;
    }

    void concurrency(long value) {
        concurrency = (int) value;
    }

    /** @param in the settings of the session; null if unknown */
    PreparedText toText(Kind kind, @Nullable PreparedIn in) {
        if (!whole || in == null || statementAt < 0 || size % 2 != 0 || statementAt % 2 != 0) {
            return PreparedText.bound(kind, found, rules);
        }
        return PreparedText.of(
                kind,
                Arrays.copyOfRange(bytes, statementAt, size),
                Arrays.copyOf(bytes, statementAt),
                in,
                new CursorOptions(flags, scroll, concurrency),
                found,
                rules);
    }
}

package dev.comporta.proxy.prepared;

import dev.comporta.tds.request.RpcHead;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the clients of a bucket have prepared, each once, and how much memory they may take; and what became of the
 * handles that stand for them. Confined to the bucket's loop.
 */
public final class PreparedTexts {
    /** Ten thousand different statements of a few kilobytes; more are most likely generated, and would never be shared. */
    static final long MOST_BYTES = 64L << 20;

    /** A thousand statements of a few kilobytes. */
    static final long MOST_BYTES_PER_CLIENT = 4L << 20;

    private final Map<PreparedText, PreparedText> texts = new HashMap<>();
    private final PreparedCounters counters = new PreparedCounters();
    private final RpcHead head = new RpcHead();
    private long bytes;

    /** Reads a request's beginning. Shared by all clients of the bucket. */
    public RpcHead head() {
        return head;
    }

    public PreparedCounters counters() {
        return counters;
    }

    /** The text that is equal to this one and known already, or this one; null if there is no memory left for it. */
    @Nullable
    PreparedText hold(PreparedText wanted) {
        PreparedText known = texts.get(wanted);
        if (known == null) {
            if (bytes + wanted.bytes() > MOST_BYTES) {
                return null;
            }
            known = wanted;
            texts.put(known, known);
            bytes += known.bytes();
        }
        known.holders++;
        return known;
    }

    /** A handle that stood for it is gone. */
    void drop(PreparedText text) {
        if (--text.holders == 0) {
            texts.remove(text);
            bytes -= text.bytes();
        }
    }

    public PreparedSnapshot snapshot() {
        return new PreparedSnapshot(
                texts.size(), bytes, counters.hits, counters.asText, counters.preparedAgain, counters.bound);
    }
}

package dev.comporta.proxy.prepared;

import dev.comporta.tds.request.RpcHead;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the clients of a bucket have prepared, each once, within a memory limit; and the counters of their handles.
 * Confined to the bucket's loop.
 */
public final class PreparedTexts {
    /** Ten thousand different statements of a few kilobytes; more are probably generated, and would never be shared. */
    static final long MOST_BYTES = 64L << 20;

    /** A thousand statements of a few kilobytes. */
    static final long MOST_BYTES_PER_CLIENT = 4L << 20;

    private final Map<PreparedText, PreparedText> texts = new HashMap<>();
    private final PreparedCounters counters = new PreparedCounters();
    private final RpcHead head = new RpcHead();
    private long bytes;

    /** Reads the beginning of a request. Shared by all clients of the bucket. */
    public RpcHead head() {
        return head;
    }

    public PreparedCounters counters() {
        return counters;
    }

    /** The equal text that is known already, or this one; null if the memory limit is reached. */
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

    /** A handle that stood for it was removed. */
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

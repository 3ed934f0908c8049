package dev.comporta.proxy.relay;

/** Told when the answer to a question of the proxy's own is complete. */
@FunctionalInterface
public interface OwnAnswer {
    /** @param failed whether there was an error, or the answer is none, or the reset was not acknowledged */
    void answered(boolean failed);
}

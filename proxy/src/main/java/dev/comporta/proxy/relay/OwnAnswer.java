package dev.comporta.proxy.relay;

/** Called when the answer to the proxy's own request is complete. */
@FunctionalInterface
public interface OwnAnswer {
    /** @param failed whether there was an error, no valid answer, or no acknowledgement of the reset */
    void answered(boolean failed);
}

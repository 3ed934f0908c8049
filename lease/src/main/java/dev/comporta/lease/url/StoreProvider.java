package dev.comporta.lease.url;

import java.util.Set;

/** Reads the URLs of one kind of store. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** The schemes of its URLs, without the colon. */
    Set<String> schemes();

    /**
     * Reads a URL without connecting.
     *
     * @throws IllegalArgumentException if the URL is wrong; its message says how to correct it
     */
    StoreOpener read(StoreUrl url);
}

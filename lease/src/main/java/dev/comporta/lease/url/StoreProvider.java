package dev.comporta.lease.url;

import java.util.Set;

/** Reads the URLs of one kind of store. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** What its URLs begin with, before the colon. */
    Set<String> schemes();

    /**
     * Reads a URL, and connects to nothing.
     *
     * @throws IllegalArgumentException that says what is wrong with the URL, and how to correct it
     */
    StoreOpener read(StoreUrl url);
}

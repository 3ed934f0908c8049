package dev.comporta.lease.url;

import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds the provider that reads a store's URL. */
public final class StoreLocator {
    private static final Map<String, String> ARTIFACTS = Map.of(
            "redis", "comporta-lease-redis", "rediss", "comporta-lease-redis", "dynamodb", "comporta-lease-dynamodb");

    private StoreLocator() {}

    /**
     * Reads the URL without connecting.
     *
     * @throws IllegalArgumentException if the URL is wrong or an artifact is missing; its message says which
     */
    public static StoreOpener find(String url) {
        return find(url, Thread.currentThread().getContextClassLoader());
    }

    /** @param first where to look before the class loader of this class */
    static StoreOpener find(String url, @Nullable ClassLoader first) {
        StoreUrl parsed = StoreUrl.of(url);
        StoreProvider provider = provider(parsed.scheme(), first);
        if (provider == null) {
            provider = provider(parsed.scheme(), StoreProvider.class.getClassLoader());
        }
        if (provider != null) {
            return provider.read(parsed);
        }
        String artifact = ARTIFACTS.get(parsed.scheme());
        throw new IllegalArgumentException(
                artifact == null
                        ? "there is no store '" + parsed.scheme() + "': set local, redis://HOST:6379 or dynamodb:TABLE"
                        : "its store is not on the class path: add the artifact dev.comporta:" + artifact);
    }

    private static @Nullable StoreProvider provider(String scheme, @Nullable ClassLoader in) {
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, in)) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
        }
        return null;
    }
}

package dev.comporta.proxy.listen;

import io.netty.util.internal.PlatformDependent;

/**
 * Limits of all connections that have not sent their LOGIN7 yet: their credentials have not been checked.
 *
 * @param maxPending pending logins of one listener. Beyond it those without progress are closed, and no more are accepted
 * @param maxPendingPerAddress pending logins of one address, 0 for any number; one more closes the address's oldest
 * @param pendingBytes bytes that the instance holds for them. Beyond it a connection that holds more than its share is closed
 * @param maxClientsPerAddress clients of one address in the instance, logged in or not; 0 for any number; one more is closed
 * @param maxHandshakes concurrent TLS handshakes in the instance, 0 for any number; further ones wait
 */
public record LoginLimits(
        int maxPending, int maxPendingPerAddress, long pendingBytes, int maxClientsPerAddress, int maxHandshakes) {
    /** No limit on clients per address and on handshakes. */
    public LoginLimits(int maxPending, int maxPendingPerAddress, long pendingBytes) {
        this(maxPending, maxPendingPerAddress, pendingBytes, 0, 0);
    }

    /** Enough for a legitimate login with its TLS handshake, unless it carries tokens or certificates. */
    private static final int MIN_SHARE = 8 * 1024;

    /**
     * A small part of the memory: a buffer may be several times as large as its content, and logged-in clients need buffers, too.
     */
    private static final int PART_OF_MEMORY = 16;

    public static final LoginLimits DEFAULTS = new LoginLimits(4096, 0, defaultBytes(), 0, 256);

    /** The default of {@code pendingBytes}: a part of the memory that this process has for network buffers. */
    public static long defaultBytes() {
        return Math.max(PlatformDependent.maxDirectMemory() / PART_OF_MEMORY, 1 << 20);
    }

    /** The bytes that one connection may hold while the limit of all is exceeded. */
    int share() {
        return Math.clamp(pendingBytes / maxPending, MIN_SHARE, Integer.MAX_VALUE);
    }
}

package dev.comporta.proxy.listen;

import io.netty.util.internal.PlatformDependent;

/**
 * What connections that have not sent their LOGIN7 yet may cost all together: no credentials have been checked.
 *
 * @param maxPending of one listener. Beyond it those that make no progress are closed, and no more are accepted meanwhile
 * @param maxPendingPerAddress 0 for any number; one more closes the oldest of its address
 * @param pendingBytes that the instance holds for them. Beyond it a connection that holds more than its share is closed
 * @param maxClientsPerAddress of the instance, logged in or not; 0 for any number; one more is closed
 * @param maxHandshakes of TLS that are under way in the instance; 0 for any number; others wait for their turn
 */
public record LoginLimits(
        int maxPending, int maxPendingPerAddress, long pendingBytes, int maxClientsPerAddress, int maxHandshakes) {
    /** With any number of clients per address, and of handshakes. */
    public LoginLimits(int maxPending, int maxPendingPerAddress, long pendingBytes) {
        this(maxPending, maxPendingPerAddress, pendingBytes, 0, 0);
    }

    /** A legitimate login fits, TLS handshake and all, unless it brings tokens or certificates. */
    private static final int MIN_SHARE = 8 * 1024;

    /**
     * A buffer may be several times as large as what it holds, and the memory is needed by clients that are logged in: so a
     * small part of it.
     */
    private static final int PART_OF_MEMORY = 16;

    public static final LoginLimits DEFAULTS = new LoginLimits(4096, 0, defaultBytes(), 0, 256);

    /** A part of the memory that this process has for network buffers. */
    public static long defaultBytes() {
        return Math.max(PlatformDependent.maxDirectMemory() / PART_OF_MEMORY, 1 << 20);
    }

    /** What one connection may hold while all together hold too much. */
    int share() {
        return Math.clamp(pendingBytes / maxPending, MIN_SHARE, Integer.MAX_VALUE);
    }
}

package dev.comporta.tds.login;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Knows jTDS by its PRELOGIN, since it must not be given login-only encryption: it ends TLS by closing the JDK's
 * SSLSocket, whose close() skips whatever has already arrived. That may be the answer to its LOGIN7, for which it then
 * waits for ever.
 */
final class JtdsPrelogin {
    /** The network library of SQL Server 2000, which jTDS says it is. */
    private static final Prelogin.Version VERSION = new Prelogin.Version(8, 0, 0x155, 0);
    /** Where others send the number of a thread. */
    private static final byte[] THREAD = {1, 2, 0, 0};

    private JtdsPrelogin() {}

    static boolean isOf(Prelogin client) {
        byte @Nullable [] thread = client.option(Prelogin.THREADID);
        return client.version().equals(VERSION) && Arrays.equals(thread, THREAD) && !client.has(Prelogin.MARS);
    }
}

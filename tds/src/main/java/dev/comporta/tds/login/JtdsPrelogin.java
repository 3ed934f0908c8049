package dev.comporta.tds.login;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes jTDS by its PRELOGIN, because jTDS must not be given login-only encryption: it ends TLS by closing the JDK's
 * SSLSocket, whose close() discards bytes that have already arrived. If the response to LOGIN7 is among them, jTDS waits
 * for it for ever.
 */
final class JtdsPrelogin {
    /** The version that jTDS sends: that of SQL Server 2000's network library. */
    private static final Prelogin.Version VERSION = new Prelogin.Version(8, 0, 0x155, 0);
    /** The bytes that jTDS sends as THREADID, in place of a thread's number. */
    private static final byte[] THREAD = {1, 2, 0, 0};

    private JtdsPrelogin() {}

    static boolean isOf(Prelogin client) {
        byte @Nullable [] thread = client.option(Prelogin.THREADID);
        return client.version().equals(VERSION) && Arrays.equals(thread, THREAD) && !client.has(Prelogin.MARS);
    }
}

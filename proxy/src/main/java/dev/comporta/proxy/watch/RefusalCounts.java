package dev.comporta.proxy.watch;

import dev.comporta.proxy.session.ProxyError;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts the errors that clients were refused with, by reason. Any thread: some clients belong to no bucket yet. */
public final class RefusalCounts {
    /** Credentials that are not in the configuration. */
    private static final String LOGIN_FAILED = "login_failed";

    /** Credentials that the server did not accept. */
    private static final String LOGIN_REJECTED = "login_rejected";

    private static final ProxyError[] ERRORS = ProxyError.values();

    private final AtomicLongArray counts = new AtomicLongArray(ERRORS.length + 2);

    @SuppressWarnings("EnumOrdinal") // an index into an array of this class alone
    public void count(ProxyError error) {
        counts.incrementAndGet(error.ordinal());
    }

    public void countFailedLogin() {
        counts.incrementAndGet(ERRORS.length);
    }

    public void countRejectedLogin() {
        counts.incrementAndGet(ERRORS.length + 1);
    }

    /** All reasons, including those at 0. */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new TreeMap<>();
        for (int i = 0; i < ERRORS.length; i++) {
            all.put(ERRORS[i].name().toLowerCase(Locale.ROOT), counts.get(i));
        }
        all.put(LOGIN_FAILED, counts.get(ERRORS.length));
        all.put(LOGIN_REJECTED, counts.get(ERRORS.length + 1));
        return Collections.unmodifiableMap(all);
    }
}

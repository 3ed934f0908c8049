package dev.comporta.proxy.listen;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the bytes held for pending logins of all listeners and loops together. They are at most twice the limit, or the
 * limit and each connection's smallest share: a connection below its share is never closed for what others hold.
 */
final class LoginBudget {
    private static final long TELLING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(LoginBudget.class);

    private final LongAdder refused = new LongAdder();
    private final RefusedConnections all;
    private final AtomicLong told = new AtomicLong(System.nanoTime() - TELLING_NANOS);
    private final AtomicLong held = new AtomicLong();
    private final long most;
    private final int share;

    LoginBudget(LoginLimits limits, RefusedConnections all) {
        this.all = all;
        most = limits.pendingBytes();
        share = limits.share();
    }

    /**
     * Counts received bytes.
     *
     * @param mine bytes that the connection holds, including these
     * @return whether it may hold them
     */
    boolean take(int bytes, long mine) {
        if (held.addAndGet(bytes) <= most || mine <= share) {
            return true;
        }
        refused.increment();
        all.count(RefusedConnections.Reason.PENDING_LOGIN_BYTES);
        tell();
        return false;
    }

    private void tell() {
        long last = told.get();
        long now = System.nanoTime();
        if (now - last >= TELLING_NANOS && told.compareAndSet(last, now)) {
            log.warn(
                    "unfinished logins hold more than {} bytes (proxy.limits.pending_login_bytes): closing logins above {}"
                            + " bytes; {} logins closed since the start",
                    most,
                    share,
                    refused.sum());
        }
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    long held() {
        return held.get();
    }
}

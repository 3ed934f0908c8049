package dev.comporta.standin.engine.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks of sp_getapplock, of all sessions of one server. Any thread. */
public final class AppLocks {
    static final int GRANTED = 0;
    static final int GRANTED_AFTER_WAIT = 1;
    static final int TIMED_OUT = -1;

    /** How often a waiting session checks whether its request was cancelled. */
    private static final long SLICE_MILLIS = 50;

    public enum Mode {
        INTENT_SHARED("IntentShared"),
        SHARED("Shared"),
        UPDATE("Update"),
        INTENT_EXCLUSIVE("IntentExclusive"),
        EXCLUSIVE("Exclusive");

        private final String words;

        Mode(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        public static @Nullable Mode named(String name) {
            for (Mode mode : values()) {
                if (mode.words.equalsIgnoreCase(name)) {
                    return mode;
                }
            }
            return null;
        }

        boolean compatible(Mode other) {
            return switch (this) {
                case INTENT_SHARED -> other != EXCLUSIVE;
                case SHARED -> other == INTENT_SHARED || other == SHARED || other == UPDATE;
                case UPDATE -> other == INTENT_SHARED || other == SHARED;
                case INTENT_EXCLUSIVE -> other == INTENT_SHARED || other == INTENT_EXCLUSIVE;
                case EXCLUSIVE -> false;
            };
        }
    }

    private static final class Hold {
        final Session session;
        final boolean ofTransaction;
        final Mode mode;
        int count = 1;

        Hold(Session session, boolean ofTransaction, Mode mode) {
            this.session = session;
            this.ofTransaction = ofTransaction;
            this.mode = mode;
        }
    }

    private final Map<String, List<Hold>> holds = new HashMap<>();

    /** @param timeoutMillis -1 waits for ever */
    public int acquire(
            Session session,
            String resource,
            Mode mode,
            boolean ofTransaction,
            long timeoutMillis,
            Cancellation cancellation) {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
        boolean waited = false;
        while (true) {
            synchronized (this) {
                if (grant(session, key(resource), mode, ofTransaction)) {
                    return waited ? GRANTED_AFTER_WAIT : GRANTED;
                }
                long left = timeoutMillis < 0 ? SLICE_MILLIS : (deadline - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return TIMED_OUT;
                }
                waited = true;
                try {
                    wait(Math.min(left, SLICE_MILLIS));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return TIMED_OUT;
                }
            }
            cancellation.check();
        }
    }

    private boolean grant(Session session, String resource, Mode mode, boolean ofTransaction) {
        if (!wouldGrant(session, resource, mode)) {
            return false;
        }
        List<Hold> here = holds.computeIfAbsent(resource, key -> new ArrayList<>());
        for (Hold hold : here) {
            if (hold.session == session && hold.ofTransaction == ofTransaction && hold.mode == mode) {
                hold.count++;
                return true;
            }
        }
        here.add(new Hold(session, ofTransaction, mode));
        return true;
    }

    /** @return whether the session held it */
    public synchronized boolean release(Session session, String resource, boolean ofTransaction) {
        Hold mine = null;
        for (Hold hold : holds.getOrDefault(key(resource), List.of())) {
            if (hold.session == session && hold.ofTransaction == ofTransaction) {
                mine = hold;
            }
        }
        if (mine == null) {
            return false;
        }
        if (--mine.count == 0) {
            forget(resource, mine);
        }
        notifyAll();
        return true;
    }

    private void forget(String resource, Hold hold) {
        List<Hold> here = holds.get(key(resource));
        if (here != null) {
            here.remove(hold);
            if (here.isEmpty()) {
                holds.remove(key(resource));
            }
        }
    }

    /** Releases the locks of a transaction, or of the whole session. */
    public synchronized void releaseAll(Session session, boolean ofTransactionOnly) {
        Iterator<List<Hold>> lists = holds.values().iterator();
        while (lists.hasNext()) {
            List<Hold> here = lists.next();
            here.removeIf(hold -> hold.session == session && (hold.ofTransaction || !ofTransactionOnly));
            if (here.isEmpty()) {
                lists.remove();
            }
        }
        notifyAll();
    }

    /** APPLOCK_MODE: the strongest mode that the session holds, or NoLock. */
    public synchronized String mode(Session session, String resource, boolean ofTransaction) {
        Mode strongest = null;
        for (Hold hold : holds.getOrDefault(key(resource), List.of())) {
            boolean mine = hold.session == session && hold.ofTransaction == ofTransaction;
            if (mine && (strongest == null || hold.mode.compareTo(strongest) > 0)) {
                strongest = hold.mode;
            }
        }
        return strongest == null ? "NoLock" : strongest.words();
    }

    /** APPLOCK_TEST. */
    public synchronized boolean wouldGrant(Session session, String resource, Mode mode) {
        for (Hold hold : holds.getOrDefault(key(resource), List.of())) {
            if (hold.session != session && !hold.mode.compatible(mode)) {
                return false;
            }
        }
        return true;
    }

    synchronized int held() {
        return holds.values().stream().mapToInt(List::size).sum();
    }

    private static String key(String resource) {
        return resource.toLowerCase(Locale.ROOT);
    }
}

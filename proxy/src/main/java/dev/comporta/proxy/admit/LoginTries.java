package dev.comporta.proxy.admit;

import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits the wrong passwords of one login that reach the server. A server may lock a login after a number of failures, so
 * somebody who guesses could lock it for everybody. At most {@code max_failed_logins} wrong passwords reach it within {@code
 * failed_login_window}, from all addresses together. A password that the server has accepted before is always sent. One that
 * it has rejected is repeated seldom and never gets the last try, so that many clients with an old password don't keep out
 * one with the new. Confined to the bucket's loop.
 */
final class LoginTries {
    /** Limit of the logins kept with failures, and of those kept with an accepted password. */
    static final int MOST_REMEMBERED = 1024;
    /** Limit of the rejected passwords kept for one login. */
    static final int MOST_WRONG = 64;
    /** How many of the oldest logins are searched for one below its limit. */
    private static final int LOOKS = 16;

    /** What to do with a password. */
    sealed interface Verdict {
        /** Send it to the server, and report the result. */
        record Try(int login, String tag, boolean counted) implements Verdict {}

        /** Don't send it: the server has rejected it recently. */
        record KnownWrong() implements Verdict {}

        /** Don't send it: it is not known to be right, and the limit is reached. It can be tried after {@code waitNanos}. */
        record TooMany(long waitNanos) implements Verdict {}
    }

    private static final class Tries {
        /** The oldest first. */
        final Deque<Long> failedAt = new ArrayDeque<>();

        final Map<String, Long> wrong = new Bounded<>(MOST_WRONG);
        int underWay;

        void forget(long before) {
            while (!failedAt.isEmpty() && failedAt.getFirst() <= before) {
                failedAt.removeFirst();
            }
            wrong.values().removeIf(at -> at <= before);
        }

        int count() {
            return failedAt.size() + underWay;
        }
    }

    private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;
        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }

    /** Logins with failures, by hash as in {@link LoginDelays}, so that guessed names are not kept. The latest failure is last. */
    private final Map<Integer, Tries> tries = new LinkedHashMap<>();

    private final Map<Integer, String> right = new Bounded<>(MOST_REMEMBERED);

    /**
     * @param tag the password's tag
     * @param accepted whether the server has ever accepted it
     */
    Verdict of(String user, String tag, boolean accepted, EntryRules rules, long now) {
        int login = key(user);
        Tries of = tries.get(login);
        long window = rules.failedLoginWindow().toNanos();
        if (of != null) {
            of.forget(now - window);
        }
        boolean wrong = of != null && of.wrong.containsKey(tag);
        int most = rules.maxFailedLogins();
        if (most == 0 || tag.equals(right.get(login)) || (accepted && !wrong)) {
            return new Verdict.Try(login, tag, false);
        }
        if (of == null) {
            of = remember(login, most);
        } else if (wrong && !mayTryAgain(of, most, window, now)) {
            return new Verdict.KnownWrong();
        } else if (of.count() >= most) {
            return new Verdict.TooMany(of.failedAt.isEmpty() ? 0 : of.failedAt.getFirst() + window - now);
        }
        of.underWay++;
        return new Verdict.Try(login, tag, true);
    }

    /**
     * Half of the tries may repeat a rejected password at once, as the login's password may be changed to it; then one for
     * each equal part of the window, but never the last.
     */
    private static boolean mayTryAgain(Tries of, int most, long window, long now) {
        if (of.underWay > 0 || of.count() >= most - 1) {
            return false;
        }
        return of.count() < most / 2 || now - of.failedAt.getLast() >= window / most;
    }

    private Tries remember(int login, int most) {
        if (tries.size() >= MOST_REMEMBERED) {
            forgetOne(most);
        }
        Tries of = new Tries();
        tries.put(login, of);
        return of;
    }

    /** Evicts the oldest login below its limit, so that a flood of other names does not lift the limit; else the oldest. */
    private void forgetOne(int most) {
        Iterator<Tries> eldest = tries.values().iterator();
        for (int i = 0; i < LOOKS; i++) {
            if (eldest.next().count() < most) {
                eldest.remove();
                return;
            }
        }
        tries.remove(tries.keySet().iterator().next());
    }

    void accepted(Verdict.Try tried) {
        right.remove(tried.login()); // re-inserted below as the latest
        right.put(tried.login(), tried.tag());
        Tries of = end(tried);
        if (of != null) {
            of.wrong.remove(tried.tag());
            forgetUnused(tried.login(), of);
        }
    }

    void rejected(Verdict.Try tried, EntryRules rules, long now) {
        right.remove(tried.login(), tried.tag());
        Tries of = end(tried);
        if (rules.maxFailedLogins() == 0) {
            return;
        }
        if (of == null) {
            of = remember(tried.login(), rules.maxFailedLogins());
        }
        tries.remove(tried.login()); // re-inserted below as the latest
        tries.put(tried.login(), of);
        of.wrong.remove(tried.tag());
        of.wrong.put(tried.tag(), now);
        of.failedAt.addLast(now);
        while (of.failedAt.size() > rules.maxFailedLogins()) {
            of.failedAt.removeFirst();
        }
    }

    /** The server did not say whether the password is right. */
    void undecided(Verdict.Try tried) {
        Tries of = end(tried);
        if (of != null) {
            forgetUnused(tried.login(), of);
        }
    }

    private @Nullable Tries end(Verdict.Try tried) {
        Tries of = tries.get(tried.login());
        if (of != null && tried.counted() && of.underWay > 0) {
            of.underWay--;
        }
        return of;
    }

    private void forgetUnused(int login, Tries of) {
        if (of.count() == 0) {
            tries.remove(login);
        }
    }

    /** The number of logins kept with failures. */
    int size() {
        return tries.size();
    }

    private static int key(String user) {
        return Accounts.canonical(user).hashCode();
    }
}

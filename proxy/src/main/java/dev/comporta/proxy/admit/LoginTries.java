package dev.comporta.proxy.admit;

import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many wrong passwords of one login the server gets to see. A server may lock a login after so many, and an attacker
 * who guesses would have it locked for everybody. So at most {@code max_failed_logins} reach it within {@code
 * failed_login_window}, whatever addresses they come from. A password that the server has accepted before is always sent to
 * it. One that it has rejected leaves the last try, and most of the time, to others: the many clients that have an old
 * password don't keep out the one that has the new. Confined to the bucket's loop.
 */
final class LoginTries {
    /** Logins with failures, and logins with a password that was accepted, each. */
    static final int MOST_REMEMBERED = 1024;
    /** Of one login. */
    static final int MOST_WRONG = 64;
    /** How many of the eldest are looked at for one that is not at its limit. */
    private static final int LOOKS = 16;

    /** What becomes of a password. */
    sealed interface Verdict {
        /** The server is to judge it; what it said is to be told. */
        record Try(int login, String tag, boolean counted) implements Verdict {}

        /** The server has rejected it lately. */
        record KnownWrong() implements Verdict {}

        /** Nobody knows whether it is right; after so many nanoseconds it can be tried. */
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

    /** By the login's hash, as in {@link LoginDelays}: names of guesses need not be kept. The one that failed last is last. */
    private final Map<Integer, Tries> tries = new LinkedHashMap<>();

    private final Map<Integer, String> right = new Bounded<>(MOST_REMEMBERED);

    /**
     * @param tag stands for the password
     * @param accepted whether it is known to have been accepted at some time
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

    /** Half of the tries at once, for somebody who has the password changed; then one now and then, and not the last one. */
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

    /** The eldest that is not at its limit, so that a flood of other names does not lift the limit; else the eldest of all. */
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
        right.remove(tried.login()); // to be put in again as the latest
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
        tries.remove(tried.login()); // to be put in again as the latest
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

    /** How many logins are remembered for their failures. */
    int size() {
        return tries.size();
    }

    private static int key(String user) {
        return Accounts.canonical(user).hashCode();
    }
}

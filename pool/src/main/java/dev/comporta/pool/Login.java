package dev.comporta.pool;

import dev.comporta.pool.list.Chain;
import dev.comporta.pool.settings.LoginSettings;
import java.util.ArrayList;
import java.util.List;

/** A login of a bucket: its pools (one for each login profile) share its limit and its turn. */
final class Login {
    final String name;
    final List<Pool> pools = new ArrayList<>(1);
    LoginSettings.Rule rule;
    /** Connections that count against the limit: open, closing, or with a slot and not opened yet. */
    int connections;
    /** How many of them are being closed because they are beyond the limit. */
    int leaving;
    /** Its blocked waiters; and its index in the list of logins that have blocked waiters. */
    int blockedWaiters;

    int blockedIndex;
    /** Its waiters in the queue that are login checks. */
    int queuedLogins;
    /** Its waiters in the lane that are not looked at while it is at its limit, in order of arrival. */
    final Chain<Waiter> setAside = new Chain<>();
    /** The order of its latest waiter that still waits or was served: its next turn follows this one. */
    long lastOrder;
    /** The order of its waiter served last. */
    long servedOrder;

    Login(String name, LoginSettings.Rule rule) {
        this.name = name;
        this.rule = rule;
    }

    /** Its latest waiters left without being served: later waiters get their turns. */
    void takeBackTurns() {
        lastOrder = servedOrder;
        for (int i = 0; i < pools.size(); i++) {
            Waiter last = pools.get(i).waitlist.last();
            if (last != null) {
                lastOrder = Math.max(lastOrder, last.order);
            }
        }
    }

    boolean isAtLimit() {
        return rule.limit() > 0 && connections >= rule.limit();
    }

    /** Whether it has more connections than its limit, after the limit was lowered, not counting those already being closed. */
    boolean isOverLimit() {
        return rule.limit() > 0 && connections - leaving > rule.limit();
    }
}

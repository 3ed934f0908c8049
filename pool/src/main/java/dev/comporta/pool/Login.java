package dev.comporta.pool;

import dev.comporta.pool.settings.LoginSettings;
import java.util.ArrayList;
import java.util.List;

/** A login of a bucket: its pools (one for each login profile) share its limit and its turn. */
final class Login {
    final String name;
    final List<Pool> pools = new ArrayList<>(1);
    LoginSettings.Rule rule;
    /** Connections that count: open, closing, or with a slot to be opened. */
    int connections;
    /** Of those, being closed because they are beyond the limit. */
    int leaving;
    /** Of its waiters, those that no connection may be opened for; and its place among the logins that have such. */
    int blockedWaiters;

    int blockedIndex;
    /** Its waiters in the queue that the server has yet to let in. */
    int queuedLogins;
    /** The order given to its latest waiter that is still there or was served: its turns follow each other. */
    long lastOrder;
    /** The order of its waiter served last. */
    long servedOrder;

    Login(String name, LoginSettings.Rule rule) {
        this.name = name;
        this.rule = rule;
    }

    /** Its latest waiters left without being served: their turns are not held against those that come. */
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

    /** More than the limit allows, after it was lowered, and not yet on their way out. */
    boolean isOverLimit() {
        return rule.limit() > 0 && connections - leaving > rule.limit();
    }
}

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
    /** The order given to its latest waiter: its turns follow each other. */
    long lastOrder;

    Login(String name, LoginSettings.Rule rule) {
        this.name = name;
        this.rule = rule;
    }

    boolean isAtLimit() {
        return rule.limit() > 0 && connections >= rule.limit();
    }

    boolean isOverLimit() {
        return rule.limit() > 0 && connections > rule.limit();
    }
}

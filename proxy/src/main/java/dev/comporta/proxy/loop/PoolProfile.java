package dev.comporta.proxy.loop;

import dev.comporta.tds.login.Login7;

/** What tells the pools of one login apart, for people. */
public final class PoolProfile {
    private PoolProfile() {}

    /**
     * Any thread: it reads what never changes.
     *
     * @param poolKey as a snapshot of the pool has it
     */
    public static String of(Object poolKey) {
        return ((PoolOwner) poolKey).profile();
    }

    static String of(Login7 login) {
        StringBuilder text =
                new StringBuilder("TDS ").append(login.negotiatedVersion().number());
        append(text, "database", login.database());
        append(text, "language", login.language());
        append(text, "application", login.appName());
        append(text, "host", login.hostName());
        text.append(", packets of ").append(login.packetSize());
        return login.isReadOnly() ? text.append(", read-only").toString() : text.toString();
    }

    private static void append(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(", ").append(name).append(' ').append(value);
        }
    }
}

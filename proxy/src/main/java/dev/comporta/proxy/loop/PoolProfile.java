package dev.comporta.proxy.loop;

import dev.comporta.tds.login.Login7;

/** Text that distinguishes the pools of one login, for people. */
public final class PoolProfile {
    private PoolProfile() {}

    /**
     * Any thread: reads only what never changes.
     *
     * @param poolKey the key in a snapshot of the pool
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

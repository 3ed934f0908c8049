package dev.comporta.testkit.crosstalk;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a session must look like: every setting of it that can be asked for, by name. */
public final class Picture {
    /** A query for one value, from which {@link #parse} makes a picture. */
    static final String LOOK = "SELECT CONCAT('DATEFIRST=', date_first, ' DATEFORMAT=', date_format, ' LOCK_TIMEOUT=',"
            + " lock_timeout, ' TEXTSIZE=', text_size, ' LANGUAGE=', language, ' DEADLOCK_PRIORITY=',"
            + " deadlock_priority, ' OPTIONS=', @@OPTIONS, ' level=', transaction_isolation_level, ' database=',"
            + " DB_NAME(), ' transactions=', @@TRANCOUNT, ' context=', CAST(SESSION_CONTEXT(N'who') AS NVARCHAR(20)),"
            + " ' info=', CAST(SUBSTRING(CONTEXT_INFO(), 1, 4) AS INT))"
            + " FROM sys.dm_exec_sessions WHERE session_id = @@SPID";

    private final Map<String, String> settings;

    private Picture(Map<String, String> settings) {
        this.settings = settings;
    }

    /** What a new session of this driver looks like on this server. */
    public static Picture of(DriverSession session) throws Exception {
        session.connect();
        try {
            return parse(session.ask(LOOK));
        } finally {
            session.close();
        }
    }

    private static Picture parse(String looked) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : looked.split(" ", -1)) {
            int equals = setting.indexOf('=');
            settings.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return new Picture(settings);
    }

    Picture copy() {
        return new Picture(new LinkedHashMap<>(settings));
    }

    boolean has(String name, String value) {
        return value.equals(settings.get(name));
    }

    void set(String name, Object value) {
        if (settings.put(name, value.toString()) == null) {
            throw new IllegalArgumentException("no setting " + name);
        }
    }

    /** Sets a bit of @@OPTIONS, or clears it. */
    void set(int bit, boolean on) {
        int bits = Integer.parseInt(get("OPTIONS"));
        set("OPTIONS", on ? bits | bit : bits & ~bit);
    }

    boolean isOn(int bit) {
        return (Integer.parseInt(get("OPTIONS")) & bit) != 0;
    }

    String get(String name) {
        String value = settings.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no setting " + name);
        }
        return value;
    }

    /** As the session would answer {@link #LOOK}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        settings.forEach(
                (name, value) -> text.append(' ').append(name).append('=').append(value));
        return text.substring(1);
    }
}

package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.SqlError;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A session's prepared handles of one kind: statements or cursors. Each kind has its own numbers, which the procedures of
 * the other kind don't accept. Other threads may count the handles.
 */
public final class PreparedHandles<T> {
    /** An upper bound of the handles that a session creates. */
    private static final int MOST_GIVEN = 1_000_000;

    /** The number before a session's first statement. */
    static final int STATEMENTS = 0;
    /** The number before a session's first cursor, as SQL Server counts them. */
    public static final int CURSORS = 0x4000_0000;

    /** The states of error 8179, as observed from SQL Server. */
    public static final int UNKNOWN_TO_RPC = 1;

    public static final int UNKNOWN_TO_TEXT = 4;
    private static final int UNKNOWN_AT_UNPREPARE = 8;

    /** Must be the same at execution as at preparation. All logins have the same default schema here. */
    private record Setting(String database, boolean ansiNulls, boolean quotedIdentifier) {
        static Setting of(Session session) {
            Options options = session.options();
            return new Setting(
                    session.database(),
                    options.isOn(Options.Switch.ANSI_NULLS),
                    options.isOn(Options.Switch.QUOTED_IDENTIFIER));
        }
    }

    private record Entry<T>(T prepared, Setting setting) {}

    private final Session session;
    private final int before;
    private final Map<Integer, Entry<T>> handles = new ConcurrentHashMap<>();
    private int last;

    PreparedHandles(Session session, int before) {
        this.session = session;
        this.before = before;
        last = before;
    }

    public int add(T prepared) {
        handles.put(++last, new Entry<>(prepared, Setting.of(session)));
        tally().prepared();
        return last;
    }

    /**
     * Returns it for an execution, and counts that.
     *
     * @param unknownState of error 8179
     */
    public T execute(int handle, int unknownState) {
        Entry<T> entry = handles.get(handle);
        if (entry == null) {
            throw unknown(handle, unknownState);
        }
        // Babelfish executes it whatever the session's settings are.
        if (!session.isBabelfish() && !entry.setting.equals(Setting.of(session))) {
            throw SqlError.handleOfAnotherContext(handle);
        }
        tally().executed();
        return entry.prepared;
    }

    public void remove(int handle) {
        if (handles.remove(handle) == null) {
            throw unknown(handle, UNKNOWN_AT_UNPREPARE);
        }
    }

    /**
     * Removes the statement of the old handle that was passed to sp_prepexec, except on Babelfish. Drivers without an old handle
     * pass NULL, 0 or -1.
     */
    public void replace(int handle) {
        if (session.isBabelfish()) {
            return;
        }
        if (handles.remove(handle) == null && handle > before) {
            tally().unknown(session.spid(), handle);
        }
    }

    private SqlError unknown(int handle, int state) {
        // Other numbers are no session's handles and can't run another client's statement: not counted.
        if (handle > before && handle - before < MOST_GIVEN) {
            tally().unknown(session.spid(), handle);
        }
        return SqlError.unknownHandle(handle, state);
    }

    private HandleTally tally() {
        return session.engine().handleTally();
    }

    /** Removes all handles; their numbers are used again. */
    void clear() {
        handles.clear();
        last = before;
    }

    int size() {
        return handles.size();
    }
}

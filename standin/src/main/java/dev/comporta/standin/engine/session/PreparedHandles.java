package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.SqlError;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A session's prepared handles of one kind: statements or cursors. Each kind counts its own numbers, and one kind's numbers
 * mean nothing to the procedures of the other. Other threads may count them.
 */
public final class PreparedHandles<T> {
    /** No session gives more numbers than these. */
    private static final int MOST_GIVEN = 1_000_000;

    /** The number before a session's first statement. */
    static final int STATEMENTS = 0;
    /** The number before a session's first cursor, as SQL Server counts them. */
    public static final int CURSORS = 0x4000_0000;

    /** States of error 8179, as SQL Server was seen to give them. */
    public static final int UNKNOWN_TO_RPC = 1;

    public static final int UNKNOWN_TO_TEXT = 4;
    private static final int UNKNOWN_AT_UNPREPARE = 8;

    /** What has to be at execution as it was at preparation. Everybody's default schema is the same here. */
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
     * For an execution, which is counted.
     *
     * @param unknownState of error 8179
     */
    public T execute(int handle, int unknownState) {
        Entry<T> entry = handles.get(handle);
        if (entry == null) {
            throw unknown(handle, unknownState);
        }
        // Babelfish executes it in whatever the session is in.
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
     * The old handle that sp_prepexec was given: its statement goes, but not on Babelfish. Drivers that have none give NULL, 0
     * or -1.
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
        // Others can't be another session's either: a client that asks for them can't run its statement.
        if (handle > before && handle - before < MOST_GIVEN) {
            tally().unknown(session.spid(), handle);
        }
        return SqlError.unknownHandle(handle, state);
    }

    private HandleTally tally() {
        return session.engine().handleTally();
    }

    /** Numbers are given again then. */
    void clear() {
        handles.clear();
        last = before;
    }

    int size() {
        return handles.size();
    }
}

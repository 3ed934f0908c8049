package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A session's prepared handles, counted from 1. Others may count them. */
public final class PreparedStatements {
    /**
     * @param scrollOption of a prepared cursor, as it was asked for; 0 for a statement
     */
    public record Prepared(
            List<Statement.ParameterDef> parameters, List<Statement> body, int scrollOption, int concurrency) {}

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

    private record Entry(Prepared prepared, Setting setting) {}

    private final Session session;
    private final Map<Integer, Entry> handles = new ConcurrentHashMap<>();
    private int last;

    PreparedStatements(Session session) {
        this.session = session;
    }

    public int add(Prepared prepared) {
        handles.put(++last, new Entry(prepared, Setting.of(session)));
        session.engine().prepared();
        return last;
    }

    public Prepared get(int handle) {
        Entry entry = handles.get(handle);
        if (entry == null) {
            throw SqlError.unknownHandle(handle);
        }
        if (!entry.setting.equals(Setting.of(session))) {
            throw SqlError.handleOfAnotherContext(handle);
        }
        return entry.prepared;
    }

    public void remove(int handle) {
        if (handles.remove(handle) == null) {
            throw SqlError.unknownHandle(handle);
        }
    }

    /** sp_prepexec with an old handle: the old statement goes, if it is still there. */
    public void forget(int handle) {
        handles.remove(handle);
    }

    /** Numbers are given again then. */
    void clear() {
        handles.clear();
        last = 0;
    }

    int size() {
        return handles.size();
    }
}

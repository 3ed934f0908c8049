package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A session's prepared handles. Others may count them. */
final class PreparedStatements {
    /**
     * @param scrollOption of a prepared cursor, as it was asked for; 0 for a statement
     */
    record Prepared(List<Statement.ParameterDef> parameters, List<Statement> body, int scrollOption, int concurrency) {}

    private final Map<Integer, Prepared> handles = new ConcurrentHashMap<>();
    private int last;

    int add(Prepared prepared) {
        handles.put(++last, prepared);
        return last;
    }

    Prepared get(int handle) {
        Prepared prepared = handles.get(handle);
        if (prepared == null) {
            throw SqlError.unknownHandle(handle);
        }
        return prepared;
    }

    void remove(int handle) {
        if (handles.remove(handle) == null) {
            throw SqlError.unknownHandle(handle);
        }
    }

    /** sp_prepexec with an old handle: the old statement goes, if it is still there. */
    void forget(int handle) {
        handles.remove(handle);
    }

    void clear() {
        handles.clear();
    }

    int size() {
        return handles.size();
    }
}

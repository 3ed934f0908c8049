package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.SqlError;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values that a session keeps from statement to statement. Values without checks are public fields. */
public final class SessionValues {
    private record Entry(@Nullable Object value, boolean readOnly) {}

    private final Map<String, Entry> context = new HashMap<>();
    public byte[] contextInfo = new byte[0];
    /** @@IDENTITY. */
    public @Nullable BigDecimal lastIdentity;
    /** The value of SCOPE_IDENTITY(); a procedure has a scope of its own. */
    public @Nullable BigDecimal scopeIdentity;

    public long rowCount;
    private int error;
    private int severity;
    public int fetchStatus;
    /** The table for which IDENTITY_INSERT is on, or 0: at most one has it. */
    public int identityInsertTable;

    /** @param keepsMost whether to keep the context and IDENTITY_INSERT, as Babelfish does */
    void reset(boolean keepsMost) {
        if (!keepsMost) {
            context.clear();
            contextInfo = new byte[0];
            identityInsertTable = 0;
        }
        lastIdentity = null;
        scopeIdentity = null;
        fetchStatus = 0;
    }

    public void setContext(String key, @Nullable Object value, boolean readOnly) {
        Entry before = context.get(Frame.key(key));
        if (before != null && before.readOnly) {
            String text = "Cannot set key '" + key
                    + "' in the session context. The key has been set as read_only for this session.";
            throw SqlError.statement(15664, 16, 1, text);
        }
        context.put(Frame.key(key), new Entry(value, readOnly));
    }

    @Nullable
    public Object context(String key) {
        Entry entry = context.get(Frame.key(key));
        return entry == null ? null : entry.value;
    }

    /** Whether a key was ever set, even if its value was removed since. */
    public boolean hasContext() {
        return !context.isEmpty();
    }

    public void identityInserted(long value) {
        lastIdentity = BigDecimal.valueOf(value);
        scopeIdentity = lastIdentity;
    }

    public int error() {
        return error;
    }

    /** The severity of the last error. */
    public int severity() {
        return severity;
    }

    public void setError(SqlError last) {
        error = last.number();
        severity = last.severity();
    }

    /** The last statement had no error. */
    public void clearError() {
        error = 0;
    }
}

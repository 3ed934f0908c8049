package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.SqlError;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a session remembers from statement to statement, and what it was told to keep. */
final class SessionValues {
    private record Entry(@Nullable Object value, boolean readOnly) {}

    private final Map<String, Entry> context = new HashMap<>();
    private byte[] contextInfo = new byte[0];
    private @Nullable BigDecimal lastIdentity;
    private @Nullable BigDecimal scopeIdentity;
    private long rowCount;
    private int error;
    private int fetchStatus;
    private int identityInsertTable;

    /** @param keepsContext as Babelfish does */
    void reset(boolean keepsContext) {
        if (!keepsContext) {
            context.clear();
            contextInfo = new byte[0];
        }
        lastIdentity = null;
        scopeIdentity = null;
        identityInsertTable = 0;
        fetchStatus = 0;
    }

    void setContext(String key, @Nullable Object value, boolean readOnly) {
        Entry before = context.get(Frame.key(key));
        if (before != null && before.readOnly) {
            String text = "Cannot set key '" + key
                    + "' in the session context. The key has been set as read_only for this session.";
            throw SqlError.statement(15664, 16, 1, text);
        }
        context.put(Frame.key(key), new Entry(value, readOnly));
    }

    @Nullable
    Object context(String key) {
        Entry entry = context.get(Frame.key(key));
        return entry == null ? null : entry.value;
    }

    /** Whether a key was ever set, even if its value was taken away since. */
    boolean hasContext() {
        return !context.isEmpty();
    }

    byte[] contextInfo() {
        return contextInfo;
    }

    void setContextInfo(byte[] value) {
        contextInfo = value;
    }

    void identityInserted(long value) {
        lastIdentity = BigDecimal.valueOf(value);
        scopeIdentity = lastIdentity;
    }

    /** @@IDENTITY. */
    @Nullable
    BigDecimal lastIdentity() {
        return lastIdentity;
    }

    @Nullable
    BigDecimal scopeIdentity() {
        return scopeIdentity;
    }

    /** A procedure has a scope of its own. */
    void setScopeIdentity(@Nullable BigDecimal value) {
        scopeIdentity = value;
    }

    long rowCount() {
        return rowCount;
    }

    void setRowCount(long value) {
        rowCount = value;
    }

    int error() {
        return error;
    }

    void setError(int value) {
        error = value;
    }

    int fetchStatus() {
        return fetchStatus;
    }

    void setFetchStatus(int value) {
        fetchStatus = value;
    }

    /** The table for which IDENTITY_INSERT is on, or 0: there is one at most. */
    int identityInsertTable() {
        return identityInsertTable;
    }

    void setIdentityInsertTable(int id) {
        identityInsertTable = id;
    }
}

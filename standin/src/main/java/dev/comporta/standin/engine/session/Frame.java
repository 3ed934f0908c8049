package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.TypedValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A running batch, or a running call of a procedure or of dynamic SQL: its variables and its temporary tables. */
public final class Frame {
    public final @Nullable Frame caller;
    public final Output output;
    public final Response.Done doneKind;
    public final String procedure;
    public final int nestLevel;
    private final Map<String, TypedValue> variables = new HashMap<>();
    public final Map<String, Table> tables = new LinkedHashMap<>();
    public int returnStatus;
    /** The error that the current CATCH block caught, or null outside of one. */
    public @Nullable SqlError caught;

    private Frame(@Nullable Frame caller, Output output, Response.Done doneKind, String procedure, int nestLevel) {
        this.caller = caller;
        this.output = output;
        this.doneKind = doneKind;
        this.procedure = procedure;
        this.nestLevel = nestLevel;
    }

    public static Frame batch(Output output) {
        return new Frame(null, output, Response.Done.DONE, "", 0);
    }

    /**
     * The frame of a procedure or of dynamic SQL.
     *
     * @param caller null if the client calls by RPC
     * @param procedure the procedure's name in errors; empty for dynamic SQL
     */
    public static Frame called(@Nullable Frame caller, Output output, String procedure) {
        int level = caller == null ? 1 : caller.nestLevel + 1;
        if (level > 32) {
            String text = "Maximum stored procedure, function, trigger, or view nesting level exceeded (limit 32).";
            throw new SqlError(217, 16, 1, SqlError.Effect.BATCH, text);
        }
        return new Frame(caller, output, Response.Done.DONEINPROC, procedure, level);
    }

    public void declare(String name, SqlType type, @Nullable Object value) {
        String key = key(name);
        if (variables.containsKey(key) && !variables.get(key).type().equals(type)) {
            String text =
                    "The variable name '" + name + "' has already been declared. Variable names must be unique within"
                            + " a query batch or stored procedure.";
            throw new SqlError(134, 15, 1, SqlError.Effect.BATCH, text);
        }
        variables.put(key, new TypedValue(type, value));
    }

    public TypedValue variable(String name) {
        TypedValue value = variables.get(key(name));
        if (value == null) {
            throw SqlError.undeclared(name);
        }
        return value;
    }

    /** Copies another frame's variables, for a part of it whose results are sent elsewhere. */
    public void copyVariables(Frame other) {
        variables.putAll(other.variables);
    }

    /** The value must have the variable's type already. */
    public void assign(String name, @Nullable Object value) {
        variables.put(key(name), new TypedValue(variable(name).type(), value));
    }

    /** A temporary table or table variable of this frame or, for a temporary table, of its callers. */
    @Nullable
    public Table table(String name) {
        String key = key(name);
        boolean variable = name.startsWith("@");
        for (Frame frame = this; frame != null; frame = variable ? null : frame.caller) {
            Table table = frame.tables.get(key);
            if (table != null) {
                return table;
            }
        }
        return null;
    }

    public static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}

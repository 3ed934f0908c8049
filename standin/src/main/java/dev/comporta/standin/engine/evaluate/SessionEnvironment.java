package dev.comporta.standin.engine.evaluate;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.query.Environment;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.view.SystemViews;
import org.jspecify.annotations.Nullable;

/** Resolves names in a frame of a session. */
public record SessionEnvironment(Session session, Frame frame) implements Environment {
    @Override
    public TypedValue variable(String name) {
        return frame.variable(name);
    }

    @Override
    public TypedValue global(String name) {
        return Globals.value(name, session, frame);
    }

    @Override
    public Relation relation(ObjectName name) {
        Relation system = SystemViews.find(name, session);
        if (system != null) {
            return system;
        }
        Table temporary = temporary(name);
        if (temporary != null) {
            return temporary;
        }
        Database database = database(name);
        String schema = schema(name);
        Table table = database.table(schema, name.name());
        if (table != null) {
            return table;
        }
        Relation.View view = database.view(schema, name.name());
        if (view != null) {
            return view;
        }
        throw SqlError.invalidObject(name.toString());
    }

    /** A table that can be changed. */
    public Table table(ObjectName name) {
        if (relation(name) instanceof Table table) {
            return table;
        }
        String text = "View or function '" + name + "' is not updatable because the modification affects multiple base"
                + " tables.";
        throw new SqlError(4405, 16, 1, SqlError.Effect.STATEMENT, text);
    }

    @Nullable
    public Table temporary(ObjectName name) {
        String wanted = name.name();
        if (wanted.startsWith("##")) {
            return session.engine().catalog().require("tempdb").table("dbo", wanted);
        }
        if (!wanted.startsWith("#") && !wanted.startsWith("@")) {
            return null;
        }
        Table table = frame.table(wanted);
        return table != null ? table : session.tables().get(Frame.key(wanted));
    }

    public Database database(ObjectName name) {
        String wanted = name.database().isEmpty() ? session.database() : name.database();
        Database database = session.engine().catalog().database(wanted);
        if (database == null) {
            throw SqlError.invalidObject(name.toString());
        }
        return database;
    }

    public static String schema(ObjectName name) {
        return name.schema().isEmpty() ? "dbo" : name.schema();
    }

    @Override
    public Conversion conversion() {
        return new Conversion(session.options().dateFormat);
    }

    @Override
    public @Nullable JavaFunction sessionFunction(String name) {
        return SessionFunctions.find(name, session, frame, this);
    }

    @Override
    public void identityInserted(long value) {
        session.values().identityInserted(value);
    }

    @Override
    public boolean insertsIdentity(int tableId) {
        return session.values().identityInsertTable == tableId;
    }

    @Override
    public long nextRowVersion() {
        return session.engine().catalog().nextRowVersion();
    }
}

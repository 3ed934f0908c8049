package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.session.AppLocks;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Procedures of the session: application locks, session context, sp_who, sp_reset_connection. */
public final class SessionProcedures {
    private static final int PARAMETER_ERROR = -999;

    private SessionProcedures() {}

    public static void addTo(Map<String, SystemCall.Body> procedures) {
        procedures.put("sp_getapplock", SessionProcedures::getAppLock);
        procedures.put("sp_releaseapplock", SessionProcedures::releaseAppLock);
        procedures.put("sp_set_session_context", SessionProcedures::setContext);
        procedures.put("sp_reset_connection", SessionProcedures::reset);
        procedures.put("sp_who", SessionProcedures::who);
        procedures.put("sp_oledb_ro_usrname", SessionProcedures::roUserName);
        procedures.put("xp_msver", SessionProcedures::version);
    }

    private static int getAppLock(SystemCall call) {
        Session session = call.session();
        String resource = call.requireText(0, "@Resource");
        AppLocks.Mode mode = AppLocks.Mode.named(call.requireText(1, "@LockMode"));
        Boolean ofTransaction = ofTransaction(call.text(2, "@LockOwner"));
        if (mode == null || ofTransaction == null) {
            return PARAMETER_ERROR;
        }
        if (ofTransaction && !session.transactions().isOpen()) {
            return noTransaction(call, "sp_getapplock");
        }
        int timeout = call.integer(3, "@LockTimeout", session.options().lockTimeout);
        int result = session.engine()
                .appLocks()
                .acquire(session, resource, mode, ofTransaction, timeout, session.cancellation());
        if (ofTransaction && result >= 0) {
            session.transactions().atEnd(() -> session.engine().appLocks().releaseAll(session, true));
        }
        return result;
    }

    private static int releaseAppLock(SystemCall call) {
        Session session = call.session();
        String resource = call.requireText(0, "@Resource");
        Boolean ofTransaction = ofTransaction(call.text(1, "@LockOwner"));
        if (ofTransaction == null) {
            return PARAMETER_ERROR;
        }
        if (ofTransaction && !session.transactions().isOpen()) {
            return noTransaction(call, "sp_releaseapplock");
        }
        if (session.engine().appLocks().release(session, resource, ofTransaction)) {
            return 0;
        }
        String text = "Cannot release the application lock (Database Principal: 'public', Resource: '" + resource
                + "') because it is not currently held.";
        call.output().error(SqlError.statement(1223, 16, 1, text).at(1, "xp_userlock"));
        return PARAMETER_ERROR;
    }

    private static @Nullable Boolean ofTransaction(String owner) {
        if (owner.isEmpty() || owner.equalsIgnoreCase("Transaction")) {
            return true;
        }
        return owner.equalsIgnoreCase("Session") ? Boolean.FALSE : null;
    }

    private static int noTransaction(SystemCall call, String procedure) {
        String text = "You attempted to acquire a transactional application lock without an active transaction.";
        call.output().error(SqlError.statement(15627, 16, 1, text).at(1, procedure));
        return PARAMETER_ERROR;
    }

    private static int setContext(SystemCall call) {
        String key = call.requireText(0, "@key");
        Object value = call.value(1, "@value", Types.SQL_VARIANT);
        boolean readOnly = call.integer(2, "@read_only", 0) != 0;
        call.session().values().setContext(key, value, readOnly);
        return 0;
    }

    private static int reset(SystemCall call) {
        call.session().reset(false, call.output().response());
        return 0;
    }

    private static int who(SystemCall call) {
        List<Column> columns = ResultColumns.of("""
                spid smallint not null, ecid smallint not null, status nvarchar(30) not null, loginame sysname,
                hostname sysname not null, blk varchar(5), dbname sysname, cmd nvarchar(26) not null,
                request_id int not null
                """);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Session session : call.session().engine().sessions()) {
            rows.add(new @Nullable Object[] {
                (short) session.spid(),
                (short) 0,
                session.busy() ? "runnable" : "sleeping",
                session.user(),
                session.login().host(),
                "0",
                session.database(),
                session.busy() ? "SELECT" : "AWAITING COMMAND",
                0
            });
        }
        return call.result(columns, rows);
    }

    /** Called by OLE DB when it connects: whether the database is read-only, and the user's name. */
    private static int roUserName(SystemCall call) {
        List<Column> columns =
                List.of(new Column("", Types.varchar(1), false, false), new Column("", Types.SYSNAME, true, false));
        List<@Nullable Object[]> rows = new ArrayList<>();
        rows.add(new @Nullable Object[] {"N", "dbo"});
        return call.result(columns, rows);
    }

    private static int version(SystemCall call) {
        List<Column> columns = ResultColumns.of(
                "Index int not null, Name nvarchar(64) not null, Internal_Value int, Character_Value nvarchar(256)");
        List<@Nullable Object[]> rows = new ArrayList<>();
        rows.add(new @Nullable Object[] {1, "ProductName", null, "Microsoft SQL Server"});
        rows.add(new @Nullable Object[] {2, "ProductVersion", 1048576, EngineSettings.PRODUCT_VERSION});
        return call.result(columns, rows);
    }
}

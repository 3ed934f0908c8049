package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.EngineSession.IsolationLevel;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.session.Language;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** sys views of the server as a whole: sessions, databases, languages, types. */
final class ServerViews {
    private ServerViews() {}

    static Relation.@Nullable SystemView find(String name, Session session) {
        return switch (name) {
            case "dm_exec_sessions" -> sessions(session);
            case "dm_exec_connections" -> connections(session);
            case "dm_tran_session_transactions" -> transactions(session);
            case "databases" -> databases(session);
            case "syslanguages" -> languages();
            case "types" -> types();
            case "configurations" -> configurations();
            default -> null;
        };
    }

    private static Relation.SystemView sessions(Session asking) {
        ViewBuilder<Session> view = new ViewBuilder<Session>("sys.dm_exec_sessions")
                .with("session_id", Types.SMALLINT, s -> (short) s.spid())
                .with("login_time", Types.DATETIME, s -> s.loginTime().toLocalDateTime())
                .with("host_name", Types.SYSNAME, s -> s.login().host())
                .with("program_name", Types.SYSNAME, s -> s.login().program())
                .with("host_process_id", Types.INT, s -> s.login().processId())
                .with(
                        "client_interface_name",
                        Types.nvarchar(32),
                        s -> s.login().clientInterface())
                .with("login_name", Types.SYSNAME, Session::user)
                .with("original_login_name", Types.SYSNAME, Session::user)
                .with("status", Types.nvarchar(30), s -> s.busy() ? "running" : "sleeping")
                .with("context_info", Types.varbinary(128), s -> s.values().contextInfo)
                .with("is_user_process", Types.BIT, s -> true)
                .with("database_id", Types.SMALLINT, s -> (short) databaseId(s))
                .with("authenticating_database_id", Types.INT, s -> 1)
                .with("open_transaction_count", Types.INT, s -> s.transactions().count())
                .with("row_count", Types.BIGINT, s -> s.values().rowCount)
                .with("prev_error", Types.INT, s -> s.values().error())
                .with(
                        "last_request_start_time",
                        Types.DATETIME,
                        s -> s.lastRequest().toLocalDateTime());
        options(view);
        return view.over(() -> asking.engine().sessions());
    }

    private static void options(ViewBuilder<Session> view) {
        view.with("text_size", Types.INT, s -> s.options().textSize)
                .with("language", Types.SYSNAME, Session::language)
                .with("date_format", Types.nvarchar(3), s -> s.options().dateFormat)
                .with("date_first", Types.SMALLINT, s -> (short) s.options().dateFirst)
                .with("quoted_identifier", Types.BIT, s -> s.options().isOn(Options.Switch.QUOTED_IDENTIFIER))
                .with("arithabort", Types.BIT, s -> s.options().isOn(Options.Switch.ARITHABORT))
                .with("ansi_null_dflt_on", Types.BIT, s -> s.options().isOn(Options.Switch.ANSI_NULL_DFLT_ON))
                .with("ansi_defaults", Types.BIT, s -> s.options().ansiDefaults())
                .with("ansi_warnings", Types.BIT, s -> s.options().isOn(Options.Switch.ANSI_WARNINGS))
                .with("ansi_padding", Types.BIT, s -> s.options().isOn(Options.Switch.ANSI_PADDING))
                .with("ansi_nulls", Types.BIT, s -> s.options().isOn(Options.Switch.ANSI_NULLS))
                .with(
                        "concat_null_yields_null",
                        Types.BIT,
                        s -> s.options().isOn(Options.Switch.CONCAT_NULL_YIELDS_NULL))
                .with("transaction_isolation_level", Types.SMALLINT, s ->
                        (short) level(s.transactions().isolation()))
                .with("lock_timeout", Types.INT, s -> s.options().lockTimeout)
                .with("deadlock_priority", Types.INT, s -> s.options().deadlockPriority);
    }

    static int databaseId(Session session) {
        Database database = session.engine().catalog().database(session.database());
        return database == null ? 0 : database.id();
    }

    static int level(IsolationLevel isolation) {
        return switch (isolation) {
            case UNCHANGED -> 0;
            case READ_UNCOMMITTED -> 1;
            case READ_COMMITTED -> 2;
            case REPEATABLE_READ -> 3;
            case SERIALIZABLE -> 4;
            case SNAPSHOT -> 5;
        };
    }

    private static Relation.SystemView connections(Session asking) {
        return new ViewBuilder<Session>("sys.dm_exec_connections")
                .with("session_id", Types.INT, Session::spid)
                .with("connect_time", Types.DATETIME, s -> s.loginTime().toLocalDateTime())
                .with("net_transport", Types.nvarchar(40), s -> "TCP")
                .with("protocol_type", Types.nvarchar(40), s -> "TSQL")
                .with("auth_scheme", Types.nvarchar(40), s -> "SQL")
                .over(() -> asking.engine().sessions());
    }

    private static Relation.SystemView transactions(Session asking) {
        return new ViewBuilder<Session>("sys.dm_tran_session_transactions")
                .with("session_id", Types.INT, Session::spid)
                .with("transaction_id", Types.BIGINT, s -> s.transactions().descriptor())
                .with("is_user_transaction", Types.BIT, s -> true)
                .with("open_transaction_count", Types.INT, s -> s.transactions().count())
                .over(() -> asking.engine().sessions().stream()
                        .filter(Session::inTransaction)
                        .toList());
    }

    private static Relation.SystemView databases(Session asking) {
        return new ViewBuilder<Database>("sys.databases")
                .with("name", Types.SYSNAME, Database::name)
                .with("database_id", Types.INT, Database::id)
                .with(
                        "create_date",
                        Types.DATETIME,
                        d -> asking.engine().started().toLocalDateTime())
                .with("compatibility_level", Types.TINYINT, d -> (short) 160)
                .with("collation_name", Types.SYSNAME, d -> SystemViews.COLLATION)
                .with("state", Types.TINYINT, d -> (short) 0)
                .with("state_desc", Types.nvarchar(60), d -> "ONLINE")
                .with("user_access_desc", Types.nvarchar(60), d -> "MULTI_USER")
                .with("is_read_only", Types.BIT, d -> false)
                .with("snapshot_isolation_state", Types.TINYINT, d -> (short) 1)
                .with("is_read_committed_snapshot_on", Types.BIT, d -> true)
                .with("recovery_model_desc", Types.nvarchar(60), d -> "SIMPLE")
                .over(() -> asking.engine().catalog().databases());
    }

    private static Relation.SystemView languages() {
        return new ViewBuilder<Language>("sys.syslanguages")
                .with("langid", Types.SMALLINT, l -> (short) l.id())
                .with("dateformat", Types.nvarchar(3), Language::dateFormat)
                .with("datefirst", Types.TINYINT, l -> (short) l.dateFirst())
                .with("name", Types.SYSNAME, Language::name)
                .with("alias", Types.SYSNAME, Language::alias)
                .with("lcid", Types.INT, Language::lcid)
                .over(() -> Language.ALL);
    }

    private static Relation.SystemView types() {
        return new ViewBuilder<SqlType.Name>("sys.types")
                .with("name", Types.SYSNAME, n -> TypeCatalog.name(n.id()))
                .with("system_type_id", Types.TINYINT, n -> (short) n.id())
                .with("user_type_id", Types.INT, SqlType.Name::id)
                .with("schema_id", Types.INT, n -> 4)
                .with("max_length", Types.SMALLINT, n -> (short) TypeCatalog.maxLength(new SqlType(n, 8000, 38, 0)))
                .with("precision", Types.TINYINT, n -> (short) TypeCatalog.precision(new SqlType(n, 0, 38, 7)))
                .with("scale", Types.TINYINT, n -> (short) TypeCatalog.scale(new SqlType(n, 0, 38, 7)))
                .with("is_nullable", Types.BIT, n -> true)
                .with("is_user_defined", Types.BIT, n -> false)
                .with("is_assembly_type", Types.BIT, n -> false)
                .with("is_table_type", Types.BIT, n -> false)
                .over(() -> List.of(SqlType.Name.values()));
    }

    private static Relation.SystemView configurations() {
        return new ViewBuilder<String>("sys.configurations")
                .with("configuration_id", Types.INT, s -> 103)
                .with("name", Types.nvarchar(35), s -> s)
                .with("value", Types.SQL_VARIANT, s -> 0)
                .with("value_in_use", Types.SQL_VARIANT, s -> 0)
                .over(() -> List.of("user connections"));
    }
}

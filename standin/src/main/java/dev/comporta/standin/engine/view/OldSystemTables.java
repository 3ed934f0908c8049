package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.type.Types;
import org.jspecify.annotations.Nullable;

/** The old system tables that clients still query by their bare names. */
final class OldSystemTables {
    private OldSystemTables() {}

    static Relation.@Nullable SystemView find(String name, Session session) {
        return switch (name) {
            case "sysprocesses" -> processes(session);
            case "sysdatabases" -> databases(session);
            case "syslanguages" -> ServerViews.find("syslanguages", session);
            case "sysobjects" -> objects(session);
            default -> null;
        };
    }

    private static Relation.SystemView processes(Session asking) {
        return new ViewBuilder<Session>("sysprocesses")
                .with("spid", Types.SMALLINT, s -> (short) s.spid())
                .with("blocked", Types.SMALLINT, s -> (short) 0)
                .with("dbid", Types.SMALLINT, s -> (short) ServerViews.databaseId(s))
                .with("login_time", Types.DATETIME, s -> s.loginTime().toLocalDateTime())
                .with("open_tran", Types.SMALLINT, s -> (short) s.transactions().count())
                .with("status", Types.nvarchar(30), s -> s.busy() ? "runnable" : "sleeping")
                .with("hostname", Types.SYSNAME, s -> s.login().host())
                .with("program_name", Types.SYSNAME, s -> s.login().program())
                .with(
                        "hostprocess",
                        Types.nvarchar(10),
                        s -> String.valueOf(s.login().processId()))
                .with("loginame", Types.SYSNAME, Session::user)
                .over(() -> asking.engine().sessions());
    }

    private static Relation.SystemView databases(Session asking) {
        return new ViewBuilder<Database>("sysdatabases")
                .with("name", Types.SYSNAME, Database::name)
                .with("dbid", Types.SMALLINT, d -> (short) d.id())
                .with("cmptlevel", Types.TINYINT, d -> (short) 160)
                .over(() -> asking.engine().catalog().databases());
    }

    /** Names and kinds, and the newer columns of sys.objects as well. */
    private static Relation.@Nullable SystemView objects(Session session) {
        return ObjectViews.find("sysobjects", session.engine().catalog().require(session.database()));
    }
}

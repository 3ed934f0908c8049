package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import java.util.List;

/** Questions for all that can be seen of a session. */
final class Probes {
    private Probes() {}

    static List<Act> acts() {
        return List.of(
                Act.batch(Probes::state),
                Act.batch(Probes::state),
                Act.batch(Probes::everything),
                Act.batch(draw -> "DBCC USEROPTIONS"),
                Act.batch(Probes::view),
                Act.batch(Probes::dates),
                draw -> List.of(Step.calls(Call.of(SystemProcedure.EXECUTE_SQL, Arg.text(everything(draw))))));
    }

    /** A few things, or one. */
    static String state(Draw draw) {
        return draw.one(
                "SELECT @@OPTIONS, @@DATEFIRST, @@LANGUAGE, @@LOCK_TIMEOUT, @@TEXTSIZE",
                "SELECT @@OPTIONS",
                "SELECT @@TRANCOUNT, XACT_STATE()",
                "SELECT DB_NAME(), @@LANGID",
                "SELECT SESSIONPROPERTY('ANSI_NULLS'), SESSIONPROPERTY('QUOTED_IDENTIFIER'), SESSIONPROPERTY('ARITHABORT')",
                "DBCC USEROPTIONS");
    }

    static String everything(Draw draw) {
        return "SELECT @@OPTIONS, @@DATEFIRST, @@LANGUAGE, DB_NAME(), @@TRANCOUNT, XACT_STATE(), @@LOCK_TIMEOUT, @@TEXTSIZE,"
                + " CONTEXT_INFO(), SESSION_CONTEXT(N'a'), SESSION_CONTEXT(N'b'), " + table("#t0") + ", " + table("#t1")
                + ", "
                + table("##g" + draw.client) + ", " + lock(draw, 0, "Session") + ", " + lock(draw, 1, "Transaction");
    }

    private static String table(String name) {
        return "CASE WHEN OBJECT_ID('tempdb.." + name + "') IS NULL THEN 'no' ELSE 'there' END";
    }

    private static String lock(Draw draw, int number, String owner) {
        return "APPLOCK_MODE('public', '" + Leftovers.lock(draw, number) + "', '" + owner + "')";
    }

    private static String view(Draw draw) {
        return "SELECT transaction_isolation_level, date_format, date_first FROM sys.dm_exec_sessions WHERE session_id = @@SPID";
    }

    private static String dates(Draw draw) {
        return "SELECT CAST('0" + (1 + draw.below(9)) + "/02/2025' AS datetime), DATEPART(weekday, CAST('20250"
                + (1 + draw.below(9)) + "11' AS datetime)), '" + "a" + "' + NULL";
    }
}

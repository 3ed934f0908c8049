package dev.comporta.console.eval.function;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.SessionFacts;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import java.util.List;

/** Global variables such as {@code @@VERSION}. */
public final class Globals {
    private static final List<String> NAMES = List.of("""
            @@version @@spid @@servername @@servicename @@trancount @@rowcount @@error @@language @@options @@datefirst
            @@textsize @@lock_timeout @@max_precision @@microsoftversion @@identity @@fetch_status @@nestlevel
            """.strip().split("\\s+", -1));

    private Globals() {}

    public static Bound bind(Expr.Global global, Surroundings surroundings) {
        SessionFacts session = surroundings.session();
        return switch (global.name()) {
            case "@@version" -> text(session.banner());
            case "@@spid" -> number(session.spid());
            case "@@servername" -> text(session.serverName());
            case "@@servicename" -> text("MSSQLSERVER");
            // Nothing here is ever inside a transaction.
            case "@@trancount", "@@error", "@@nestlevel" -> number(0);
            case "@@rowcount" -> number(session.rowCount());
            case "@@language" -> text("us_english");
            case "@@options" -> number(5496);
            case "@@datefirst" -> number(7);
            case "@@textsize" -> number(Integer.MAX_VALUE);
            case "@@lock_timeout", "@@fetch_status" -> number(-1);
            case "@@max_precision" -> number(38);
            case "@@microsoftversion" -> number(major(session.productVersion()) << 24);
            case "@@identity" -> Bound.constant(ColumnType.BIGINT, null);
            default ->
                throw new SqlError(
                        137,
                        global.at(),
                        "The console does not know " + global.name() + "."
                                + NearestName.among(NAMES, global.name())
                                        .map(near -> " Did you mean " + near + "?")
                                        .orElse(""));
        };
    }

    private static int major(String version) {
        int dot = version.indexOf('.');
        try {
            return Integer.parseInt(dot < 0 ? version : version.substring(0, dot));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Bound text(String value) {
        return Bound.constant(ColumnType.NVARCHAR, value);
    }

    private static Bound number(int value) {
        return Bound.constant(ColumnType.INT, value);
    }
}

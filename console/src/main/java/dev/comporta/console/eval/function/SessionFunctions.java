package dev.comporta.console.eval.function;

import static dev.comporta.console.table.ColumnType.INT;
import static dev.comporta.console.table.ColumnType.NVARCHAR;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.SessionFacts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions that return the session's login, database and server. */
final class SessionFunctions {
    private SessionFunctions() {}

    static void addTo(Map<String, Functions.Definition> all) {
        for (String name : List.of("SUSER_NAME", "SUSER_SNAME", "SYSTEM_USER", "ORIGINAL_LOGIN")) {
            text(all, name, SessionFacts::login);
        }
        for (String name : List.of("USER_NAME", "SESSION_USER", "CURRENT_USER", "USER")) {
            text(all, name, _ -> "dbo");
        }
        text(all, "HOST_NAME", SessionFacts::hostName);
        text(all, "APP_NAME", SessionFacts::application);
        all.put("SERVERPROPERTY", new Functions.Definition(1, 1, SessionFunctions::serverProperty));
        for (String name : List.of("IS_SRVROLEMEMBER", "IS_MEMBER", "IS_ROLEMEMBER", "HAS_PERMS_BY_NAME")) {
            all.put(name, new Functions.Definition(1, 5, _ -> Bound.constant(INT, 0)));
        }
    }

    private static void text(Map<String, Functions.Definition> all, String name, Function<SessionFacts, String> fact) {
        all.put(name, new Functions.Definition(0, 1, call -> constant(call, fact)));
    }

    private static Bound constant(Invocation call, Function<SessionFacts, String> fact) {
        return Bound.constant(NVARCHAR, fact.apply(call.surroundings().session()));
    }

    private static Bound serverProperty(Invocation call) {
        SessionFacts session = call.surroundings().session();
        return call.strict(NVARCHAR, List.of(NVARCHAR), arguments -> property(session, (String) arguments[0]));
    }

    // As text even where SQL Server has a number: CAST converts it, and so do drivers.
    private static @Nullable String property(SessionFacts session, String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "productversion" -> session.productVersion();
            case "productlevel" -> "RTM";
            case "edition" -> "Comporta";
            // 2: Standard. Tools decide by it which system views to expect.
            case "engineedition" -> "2";
            case "servername", "machinename" -> session.serverName();
            case "collation" -> "SQL_Latin1_General_CP1_CI_AS";
            case "isclustered", "ishadrenabled", "isintegratedsecurityonly", "issingleuser", "isfulltextinstalled" ->
                "0";
            default -> null;
        };
    }
}

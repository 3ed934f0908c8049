package dev.comporta.standin.engine.evaluate;

import static dev.comporta.standin.engine.function.JavaFunction.lenient;
import static dev.comporta.standin.engine.function.JavaFunction.strict;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.function.DateFunctions;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.session.AppLocks;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.session.SessionValues;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions that depend on the session's state. Those about objects are in {@link ObjectFunctions}. */
final class SessionFunctions {
    private SessionFunctions() {}

    static @Nullable JavaFunction find(String name, Session session, Frame frame, SessionEnvironment environment) {
        JavaFunction function = who(name, session);
        if (function == null) {
            function = state(name, session);
        }
        if (function == null) {
            function = caught(name, frame);
        }
        if (function == null) {
            function = ObjectFunctions.find(name, session, environment);
        }
        return function != null ? function : DateFunctions.withDateFirst(name, session.options().dateFirst);
    }

    private static @Nullable JavaFunction who(String name, Session session) {
        return switch (name) {
            case "SUSER_SNAME", "SUSER_NAME", "ORIGINAL_LOGIN", "SYSTEM_USER" ->
                lenient(0, 1, t -> Types.SYSNAME, a -> session.user());
            case "USER_NAME", "USER", "CURRENT_USER", "SESSION_USER" -> lenient(0, 1, t -> Types.SYSNAME, a -> "dbo");
            case "USER_ID", "DATABASE_PRINCIPAL_ID" -> lenient(0, 1, t -> Types.INT, a -> 1);
            case "SUSER_ID" -> lenient(0, 1, t -> Types.INT, a -> 1);
            case "SUSER_SID" -> lenient(0, 2, t -> Types.varbinary(85), a -> new byte[] {1});
            case "APP_NAME", "PROGRAM_NAME" ->
                lenient(0, 0, t -> Types.SYSNAME, a -> session.login().program());
            case "HOST_NAME" ->
                lenient(0, 0, t -> Types.SYSNAME, a -> session.login().host());
            case "HOST_ID" ->
                lenient(
                        0,
                        0,
                        t -> Types.varchar(10),
                        a -> String.valueOf(session.login().processId()));
            case "IS_SRVROLEMEMBER", "IS_MEMBER", "IS_ROLEMEMBER", "HAS_DBACCESS", "HAS_PERMS_BY_NAME" ->
                lenient(1, 5, t -> Types.INT, a -> 1);
            default -> null;
        };
    }

    private static @Nullable JavaFunction state(String name, Session session) {
        SessionValues values = session.values();
        return switch (name) {
            case "SCOPE_IDENTITY" -> lenient(0, 0, t -> Types.numeric(38, 0), a -> values.scopeIdentity);
            case "ROWCOUNT_BIG" -> lenient(0, 0, t -> Types.BIGINT, a -> values.rowCount);
            case "XACT_STATE" ->
                lenient(0, 0, t -> Types.SMALLINT, a ->
                        (short) session.transactions().state());
            case "CURRENT_TRANSACTION_ID" ->
                lenient(0, 0, t -> Types.BIGINT, a -> session.transactions().descriptor());
            case "CONTEXT_INFO" ->
                lenient(
                        0,
                        0,
                        t -> Types.varbinary(128),
                        a -> values.contextInfo.length == 0 ? null : values.contextInfo);
            case "SESSION_CONTEXT" ->
                lenient(
                        1,
                        1,
                        t -> Types.SQL_VARIANT,
                        a -> a.isNull(0) ? contextWithoutKey(session) : values.context(a.text(0)));
            case "SESSIONPROPERTY" ->
                strict(1, 1, t -> Types.SQL_VARIANT, a -> sessionProperty(a.text(0), session.options()));
            case "CONNECTIONPROPERTY" -> strict(1, 1, t -> Types.SQL_VARIANT, a -> connectionProperty(a.text(0)));
            case "APPLOCK_MODE" -> strict(3, 3, t -> Types.nvarchar(32), a -> lockMode(a, session));
            case "APPLOCK_TEST" -> strict(4, 4, t -> Types.SMALLINT, a -> lockTest(a, session));
            case "FORMATMESSAGE" -> lenient(1, 21, t -> Types.nvarchar(2047), SessionFunctions::formatMessage);
            case "GETANSINULL" -> lenient(0, 1, t -> Types.SMALLINT, a -> (short) 1);
            case "CURSOR_STATUS" -> throw SqlError.unsupported("CURSOR_STATUS");
            default -> null;
        };
    }

    /** Babelfish checks the key only in a session that has a context table, and its error rolls back, like most errors. */
    private static @Nullable Object contextWithoutKey(Session session) {
        if (session.isBabelfish() && session.values().hasContext()) {
            String text = "The parameters supplied for the function \"session_context\" are not valid.";
            throw new SqlError(33557097, 16, 1, SqlError.Effect.ROLLBACK, text);
        }
        return null;
    }

    private static String lockMode(JavaFunction.Arguments a, Session session) {
        boolean ofTransaction = !a.text(2).equalsIgnoreCase("Session");
        return session.engine().appLocks().mode(session, a.text(1), ofTransaction);
    }

    private static @Nullable Object lockTest(JavaFunction.Arguments a, Session session) {
        AppLocks.Mode mode = AppLocks.Mode.named(a.text(2));
        if (mode == null) {
            return null;
        }
        return (short) (session.engine().appLocks().wouldGrant(session, a.text(1), mode) ? 1 : 0);
    }

    private static String formatMessage(JavaFunction.Arguments a) {
        List<@Nullable Object> arguments = new ArrayList<>(a.values().subList(1, a.count()));
        return MessageFormat.format(a.isNull(0) ? "" : a.text(0), arguments);
    }

    private static @Nullable Object sessionProperty(String name, Options options) {
        Options.Switch option = Options.Switch.named(name);
        if (option == null) {
            return null;
        }
        return switch (option) {
            case ANSI_NULLS,
                    ANSI_PADDING,
                    ANSI_WARNINGS,
                    ARITHABORT,
                    CONCAT_NULL_YIELDS_NULL,
                    NUMERIC_ROUNDABORT,
                    QUOTED_IDENTIFIER -> options.isOn(option) ? 1 : 0;
            default -> null;
        };
    }

    private static @Nullable Object connectionProperty(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "net_transport" -> "TCP";
            case "protocol_type" -> "TSQL";
            case "auth_scheme" -> "SQL";
            default -> null;
        };
    }

    /** ERROR_NUMBER() and related functions: NULL outside of a CATCH block. */
    private static @Nullable JavaFunction caught(String name, Frame frame) {
        return switch (name) {
            case "ERROR_NUMBER" -> part(Types.INT, frame, SqlError::number);
            case "ERROR_SEVERITY" -> part(Types.INT, frame, SqlError::severity);
            case "ERROR_STATE" ->
                part(Types.INT, frame, error -> error.message().state());
            case "ERROR_LINE" -> part(Types.INT, frame, SqlError::line);
            case "ERROR_MESSAGE" -> part(Types.nvarchar(4000), frame, SqlError::text);
            case "ERROR_PROCEDURE" ->
                part(Types.SYSNAME, frame, error -> error.procedure().isEmpty() ? null : error.procedure());
            default -> null;
        };
    }

    private static JavaFunction part(SqlType type, Frame frame, Function<SqlError, @Nullable Object> part) {
        return lenient(0, 0, t -> type, a -> {
            for (Frame scope = frame; scope != null; scope = scope.caller) {
                if (scope.caught != null) {
                    return part.apply(scope.caught);
                }
            }
            return null;
        });
    }
}

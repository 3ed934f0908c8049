package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.EngineSession.IsolationLevel;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.Evaluator;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Language;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.Types;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SET of options, and the DBCC commands that show or change the session. */
record SetStatements(Session session, Evaluator evaluator) {
    private static final Set<String> DATE_FORMATS = Set.of("mdy", "dmy", "ymd", "ydm", "myd", "dym");

    void run(Statement.SetOptions statement) {
        for (String name : statement.options()) {
            if (name.equals("ANSI_DEFAULTS")) {
                session.options().setAnsiDefaults(statement.on());
                session.implicitAfterReset(true);
                continue;
            }
            Options.Switch option = Options.Switch.named(name);
            if (option != null) {
                session.options().set(option, statement.on());
                if (option == Options.Switch.IMPLICIT_TRANSACTIONS) {
                    session.implicitAfterReset(false);
                }
            } else if (statement.on()) {
                // SHOWPLAN and STATISTICS would need plans and counts, which H2 lacks.
                throw SqlError.unsupported("SET " + name + " ON");
            }
        }
    }

    void run(Statement.SetIsolation statement) {
        session.transactions()
                .setIsolation(IsolationLevel.valueOf(statement.level().replace(' ', '_')));
    }

    void run(Statement.SetIdentityInsert statement, Frame frame) {
        Table table = new SessionEnvironment(session, frame).table(statement.table());
        if (table.identityColumn() == null) {
            String text = "Table '" + statement.table()
                    + "' does not have the identity property. Cannot perform SET operation.";
            throw SqlError.statement(8106, 16, 1, text);
        }
        int current = session.values().identityInsertTable;
        if (!statement.on()) {
            session.values().identityInsertTable = current == table.id() ? 0 : current;
            return;
        }
        if (current != 0 && current != table.id()) {
            String text = "IDENTITY_INSERT is already ON for another table. Cannot perform SET operation for table '"
                    + statement.table() + "'.";
            throw SqlError.statement(8107, 16, 1, text);
        }
        session.values().identityInsertTable = table.id();
    }

    void run(Statement.SetValue statement, Frame frame) {
        Options options = session.options();
        switch (statement.option()) {
            case "DATEFIRST" -> options.dateFirst = dateFirst(evaluator.integer(statement.value(), frame));
            case "DATEFORMAT" -> options.dateFormat = dateFormat(evaluator.text(statement.value(), frame));
            case "DEADLOCK_PRIORITY" -> options.deadlockPriority = priority(evaluator.text(statement.value(), frame));
            case "LANGUAGE" -> setLanguage(evaluator.text(statement.value(), frame), statement, frame);
            case "LOCK_TIMEOUT" -> options.lockTimeout = Math.max(-1, evaluator.integer(statement.value(), frame));
            case "ROWCOUNT" -> options.rowCount = evaluator.integer(statement.value(), frame);
            case "TEXTSIZE" -> setTextSize(evaluator.integer(statement.value(), frame));
            case "CONTEXT_INFO" -> setContextInfo(statement, frame);
            default -> evaluator.integer(statement.value(), frame);
        }
    }

    private static int dateFirst(int day) {
        if (day < 1 || day > 7) {
            throw SqlError.statement(2742, 16, 1, "SET DATEFIRST " + day + " is out of range.");
        }
        return day;
    }

    private static String dateFormat(String text) {
        String format = text.toLowerCase(Locale.ROOT);
        if (!DATE_FORMATS.contains(format)) {
            throw SqlError.statement(2741, 16, 1, "SET DATEFORMAT date order '" + text + "' is invalid.");
        }
        return format;
    }

    private static int priority(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "LOW" -> -5;
            case "NORMAL" -> 0;
            case "HIGH" -> 5;
            default -> {
                try {
                    yield Math.clamp(Integer.parseInt(text), -10, 10);
                } catch (NumberFormatException e) {
                    throw SqlError.statement(1044, 15, 1, "Incorrect deadlock priority '" + text + "'.");
                }
            }
        };
    }

    private void setTextSize(int size) {
        session.options().textSize = size == 0 ? 4096 : size < 0 ? -1 : size;
    }

    private void setLanguage(String name, Statement.SetValue statement, Frame frame) {
        Language language = session.isBabelfish() ? Language.US_ENGLISH : Language.named(name);
        if (language == null) {
            String text = "SET LANGUAGE failed because '" + name
                    + "' is not an official language name or a language alias on this SQL Server.";
            throw SqlError.statement(2740, 16, 1, text);
        }
        session.setLanguage(language, frame.output, statement.line());
    }

    /** CONTEXT_INFO is 128 bytes, padded with zeros. */
    private void setContextInfo(Statement.SetValue statement, Frame frame) {
        Object value = evaluator.value(statement.value(), Types.varbinary(128), frame);
        session.values().contextInfo = value instanceof byte[] bytes ? Arrays.copyOf(bytes, 128) : new byte[0];
    }

    void run(Statement.Dbcc statement, Frame frame) {
        switch (statement.command()) {
            case "USEROPTIONS" -> userOptions(frame, statement.line());
            case "CHECKIDENT" -> checkIdent(statement, frame);
            case "TRACEON", "TRACEOFF", "FREEPROCCACHE", "DROPCLEANBUFFERS", "CHECKDB" ->
                completed(frame, statement.line());
            default -> {
                String text =
                        "Incorrect DBCC statement. Check the documentation for the correct DBCC syntax and options.";
                throw new SqlError(2526, 16, 3, SqlError.Effect.BATCH, text);
            }
        }
    }

    private static void completed(Frame frame, int line) {
        String text = "DBCC execution completed. If DBCC printed error messages, contact your system administrator.";
        frame.output.info(new Message(2528, 1, 0, text, frame.procedure, line));
    }

    private void userOptions(Frame frame, int line) {
        Options options = session.options();
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("textsize", String.valueOf(options.textSize));
        shown.put("language", options.language().name());
        shown.put("dateformat", options.dateFormat);
        shown.put("datefirst", String.valueOf(options.dateFirst));
        shown.put("lock_timeout", String.valueOf(options.lockTimeout));
        if (options.rowCount > 0) {
            shown.put("rowcount", String.valueOf(options.rowCount));
        }
        if (options.deadlockPriority != 0) {
            shown.put("deadlock_priority", String.valueOf(options.deadlockPriority));
        }
        for (Options.Switch option : Options.Switch.values()) {
            if (options.isOn(option)) {
                shown.put(option.name().toLowerCase(Locale.ROOT), "SET");
            }
        }
        String level =
                session.transactions().isolation().name().replace('_', ' ').toLowerCase(Locale.ROOT);
        shown.put("isolation level", level);
        Output output = frame.output;
        output.columns(List.of(
                new Column("Set Option", Types.nvarchar(128), false, false),
                new Column("Value", Types.nvarchar(256), true, false)));
        shown.forEach((name, value) -> output.row(new @Nullable Object[] {name, value}));
        output.done(frame.doneKind, Command.SELECT, shown.size(), false);
        completed(frame, line);
    }

    private void checkIdent(Statement.Dbcc statement, Frame frame) {
        String name = evaluator.text(statement.arguments().getFirst(), frame);
        Table table = new SessionEnvironment(session, frame).table(Parser.objectName(name));
        boolean reseeds = statement.arguments().size() > 2
                && evaluator.text(statement.arguments().get(1), frame).equalsIgnoreCase("RESEED");
        Long before = table.lastIdentity();
        if (reseeds) {
            table.reseed((long) evaluator.integer(statement.arguments().get(2), frame));
        }
        String text =
                "Checking identity information: current identity value '" + (before == null ? "NULL" : before) + "'.";
        frame.output.info(new Message(7998, 1, 0, text, frame.procedure, statement.line()));
        completed(frame, statement.line());
    }
}

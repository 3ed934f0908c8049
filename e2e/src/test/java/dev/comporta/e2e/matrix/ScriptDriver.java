package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import dev.comporta.e2e.matrix.SqlTool.Printed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The scenarios as T-SQL scripts, for command-line clients. */
record ScriptDriver(SqlTool tool) implements Driver {
    @Override
    public String name() {
        return tool.name();
    }

    @Override
    public Tls tls() {
        return tool.tls();
    }

    @Override
    public Traits traits() {
        return tool.traits();
    }

    @Override
    public Facts play(Scenario scenario, Target target, String table) throws Exception {
        Facts facts = new Facts();
        switch (scenario) {
            case EVERY_TYPE -> everyType(target, facts);
            case PARAMETERS -> parameters(target, facts);
            case PREPARED -> prepared(target, table, facts);
            case COMMITTED -> transaction(target, table, facts, "COMMIT TRANSACTION");
            case ROLLED_BACK -> transaction(target, table, facts, "ROLLBACK TRANSACTION");
            case TEMP_TABLE -> tempTable(target, facts);
            case PROCEDURE -> procedure(target, facts);
            case MANY_ROWS -> manyRows(target, facts);
            case SEVERAL_RESULTS -> severalResults(target, table, facts);
            case LARGE_VALUE -> largeValue(target, facts);
            case ERRORS -> errors(target, table, facts);
            case LOGIN_FAILED -> facts.add("login", firstError(target.withPassword("wrong"), facts));
            case UNKNOWN_DATABASE -> facts.add("login", firstError(target.withDatabase("no_such_database"), facts));
            case CURSOR, CANCELLED, BULK_LOAD, RESET ->
                throw new IllegalArgumentException(name() + " does not play " + scenario);
        }
        return facts;
    }

    private void everyType(Target target, Facts facts) throws Exception {
        List<EveryType> types =
                Arrays.stream(EveryType.values()).filter(traits()::reads).toList();
        Printed printed = run(target, facts, "SELECT " + EveryType.columns(traits()) + " FROM every_type ORDER BY id");
        for (int row = 0; row < printed.rows().size(); row++) {
            List<String> values = printed.rows().get(row);
            for (int column = 0; column < Math.min(types.size(), values.size()); column++) {
                EveryType type = types.get(column);
                facts.add("row " + (row + 1) + " " + type.column(), PrintedText.canonical(type, values.get(column)));
            }
        }
    }

    /** Parameters of sp_executesql, which is all that a script has. */
    private void parameters(Target target, Facts facts) throws Exception {
        Map<String, EveryType> types = Map.of(
                "bit", EveryType.BIT,
                "varbinary", EveryType.VARBINARY,
                "datetime", EveryType.DATETIME,
                "null", EveryType.INT);
        Printed printed = run(
                target,
                facts,
                "EXEC sp_executesql N'SELECT @int, @bigint, @bit, @decimal, @float, @nvarchar, @varbinary, @datetime,"
                        + " @null', N'@int int, @bigint bigint, @bit bit, @decimal decimal(18,4), @float float,"
                        + " @nvarchar nvarchar(50), @varbinary varbinary(20), @datetime datetime, @null int',"
                        + " -2147483648, 9007199254740993, 1, 12345.6789, 0.1, N'olá 日本語 😀', 0x00FF10,"
                        + " '2024-02-29T12:34:56.790', NULL");
        List<String> names =
                List.of("int", "bigint", "bit", "decimal", "float", "nvarchar", "varbinary", "datetime", "null");
        List<String> values = printed.rows().getFirst();
        for (int column = 0; column < names.size(); column++) {
            String name = names.get(column);
            String value = PrintedText.canonical(types.getOrDefault(name, EveryType.NVARCHAR), values.get(column));
            facts.add(
                    name,
                    switch (name) {
                        case "float" -> Double.toString(Double.parseDouble(value));
                        // The type that Scenario.PARAMETERS shows exactly; a tool that shows minutes is not asked for
                        // more.
                        case "datetime" -> traits().comparable(EveryType.Kind.TIME, value);
                        default -> value;
                    });
        }
    }

    private void prepared(Target target, String table, Facts facts) throws Exception {
        StringBuilder batch = new StringBuilder("DECLARE @insert int, @select int;"
                + " EXEC sp_prepare @insert OUTPUT, N'@id int, @name nvarchar(50)', N'INSERT INTO " + table
                + " (id, name) VALUES (@id, @name)';"
                + " EXEC sp_prepare @select OUTPUT, N'@id int', N'SELECT name FROM " + table + " WHERE id = @id';");
        for (int id = 1; id <= 20; id++) {
            batch.append(" EXEC sp_execute @insert, " + id + ", N'row " + id + "';");
        }
        for (int id = 1; id <= 20; id++) {
            batch.append(" EXEC sp_execute @select, " + id + ";");
        }
        batch.append(" EXEC sp_unprepare @insert; EXEC sp_unprepare @select");
        facts.add("names", String.join(",", firstColumn(run(target, facts, batch.toString()))));
    }

    private void transaction(Target target, String table, Facts facts, String end) throws Exception {
        List<String> batches = new ArrayList<>(List.of(
                "BEGIN TRANSACTION",
                "INSERT INTO " + table + " (id, name) VALUES (1, 'kept')",
                "SELECT COUNT(*) FROM " + table,
                end));
        boolean rollsBack = end.startsWith("ROLLBACK");
        if (rollsBack) {
            batches.add("SELECT COUNT(*) FROM " + table);
        }
        List<String> counts = firstColumn(run(target, facts, batches));
        facts.add("inside", counts.get(0));
        if (rollsBack) {
            facts.add("after", counts.get(1));
        }
    }

    /** The other session comes after: what the first one leaves behind it would see. */
    private void tempTable(Target target, Facts facts) throws Exception {
        Printed own = run(
                target,
                facts,
                List.of("CREATE TABLE #mine (n int)", "INSERT INTO #mine VALUES (1), (2)", "SELECT SUM(n) FROM #mine"));
        facts.add("own", own.rows().getFirst().getFirst());
        facts.add("other", run(target, facts, "SELECT n FROM #mine").errors().getFirst());
    }

    private void procedure(Target target, Facts facts) throws Exception {
        List<List<String>> rows = run(
                        target,
                        facts,
                        "DECLARE @sum int, @said nvarchar(40), @status int;"
                                + " EXEC @status = matrix_add 20, 22, @sum OUTPUT, @said OUTPUT;"
                                + " SELECT @sum, @said, @status")
                .rows();
        facts.add("row", rows.get(0).get(0));
        facts.add("sum", rows.get(1).get(0));
        facts.add("said", rows.get(1).get(1));
        facts.add("status", rows.get(1).get(2));
    }

    private void manyRows(Target target, Facts facts) throws Exception {
        countRows(run(target, facts, "SELECT id, name FROM hundred_thousand").rows(), facts);
    }

    static void countRows(List<List<String>> rows, Facts facts) {
        facts.add("rows", rows.size());
        facts.add(
                "sum",
                rows.stream().mapToLong(row -> Long.parseLong(row.get(0))).sum());
        facts.add(
                "characters",
                rows.stream().mapToLong(row -> row.get(1).length()).sum());
    }

    private void severalResults(Target target, String table, Facts facts) throws Exception {
        Printed printed = run(
                target,
                facts,
                "SELECT 1 AS a; INSERT INTO " + table + " (id, name) VALUES (1, 'one'), (2, 'two'); SELECT @@ROWCOUNT;"
                        + " SELECT name FROM " + table + " ORDER BY id; PRINT 'done'");
        List<String> values = firstColumn(printed);
        facts.add("first", values.get(0));
        facts.add("inserted", values.get(1));
        facts.add("names", String.join(",", values.subList(2, values.size())));
        facts.add("said", printed.said().contains("done") ? "done" : printed.said());
    }

    private void largeValue(Target target, Facts facts) throws Exception {
        String sent = "0123456789".repeat(100_000);
        String got = run(target, facts, "SELECT CAST(N'" + sent + "' AS nvarchar(max))")
                .rows()
                .getFirst()
                .getFirst();
        facts.add("length", got.length());
        facts.add("same", got.equals(sent));
    }

    private void errors(Target target, String table, Facts facts) throws Exception {
        String insert = "INSERT INTO " + table + " (id, name) VALUES (1, 'one')";
        Printed printed = run(
                target,
                facts,
                List.of(
                        "SELECT * FROM no_such_table",
                        insert,
                        insert,
                        "SELECT 1 +",
                        "SELECT 1 / (1 - 1)",
                        "RAISERROR('the gate is closed', 16, 1)",
                        "SELECT 1"));
        List<String> names = List.of("missing table", "duplicate key", "syntax", "division by zero", "raised");
        // A failed INSERT is also told that it was terminated, by a message that is no error.
        List<String> numbers = printed.errors().stream()
                .filter(number -> !number.equals("3621"))
                .toList();
        for (int error = 0; error < Math.min(names.size(), numbers.size()); error++) {
            String text = names.get(error).equals("raised") && printed.said().contains("the gate is closed")
                    ? " the gate is closed"
                    : "";
            facts.add(names.get(error), numbers.get(error) + text);
        }
        facts.add("then", printed.rows().getLast().getFirst());
    }

    private String firstError(Target target, Facts facts) throws Exception {
        List<String> errors = run(target, facts, "SELECT 1").errors();
        return errors.isEmpty() ? "no error" : errors.getFirst();
    }

    private Printed run(Target target, Facts facts, String batch) throws Exception {
        return run(target, facts, List.of(batch));
    }

    private Printed run(Target target, Facts facts, List<String> batches) throws Exception {
        Printed printed = tool.run(target, batches);
        facts.addBesides(printed.said());
        return printed;
    }

    private static List<String> firstColumn(Printed printed) {
        return printed.rows().stream().map(List::getFirst).toList();
    }
}

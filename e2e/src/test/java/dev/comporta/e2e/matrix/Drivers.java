package dev.comporta.e2e.matrix;

import static dev.comporta.e2e.matrix.Scenario.BULK_LOAD;
import static dev.comporta.e2e.matrix.Scenario.CANCELLED;
import static dev.comporta.e2e.matrix.Scenario.CURSOR;
import static dev.comporta.e2e.matrix.Scenario.LOGIN_FAILED;
import static dev.comporta.e2e.matrix.Scenario.MANY_ROWS;
import static dev.comporta.e2e.matrix.Scenario.RESET;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The drivers of the matrix, and the one table of what each of them has no way to do. */
final class Drivers {
    private static final Traits PYTHON = new Traits(6, false, false, Map.of());
    private static final Traits JAVASCRIPT = new Traits(7, true, true, Map.of());

    private Drivers() {}

    /** Each driver with the scenarios that it can't play, whatever the server, and why. */
    static Map<Driver, Map<Scenario, String>> all() {
        Map<Driver, Map<Scenario, String>> table = new LinkedHashMap<>();
        table.put(new MssqlJdbc("false"), Map.of());
        table.put(new MssqlJdbc("true"), Map.of());
        table.put(new MssqlJdbc("strict"), Map.of());
        table.put(new Jtds(), Map.of(BULK_LOAD, "it has no bulk load", RESET, "it never asks for a reset"));
        table.put(new R2dbcMssql(), Map.of(BULK_LOAD, "it has no bulk load", RESET, "it never asks for a reset"));
        for (String encrypt : List.of("false", "true", "strict")) {
            table.put(ProgramDriver.tedious(encrypt, JAVASCRIPT), Map.of(CURSOR, "it has no cursors"));
        }
        table.put(
                ProgramDriver.python("pymssql", PYTHON, "pymssql-client.py"),
                Map.of(
                        CURSOR, "DB-Library has no cursors",
                        RESET, "it never asks for a reset"));
        table.put(
                ProgramDriver.python("python-tds", PYTHON, "python-tds.py"),
                Map.of(
                        CURSOR, "it has no server cursors",
                        RESET, "it never asks for a reset"));
        table.put(
                ProgramDriver.python("ODBC (pyodbc, FreeTDS)", PYTHON, "odbc.py"),
                Map.of(
                        CURSOR, "pyodbc opens forward-only cursors, which FreeTDS reads without a server cursor",
                        RESET, "FreeTDS never asks for a reset",
                        BULK_LOAD, "pyodbc has no bulk load"));
        for (SqlTool tool : List.of(
                new FreeTdsTool("tsql", "7.1"),
                new FreeTdsTool("tsql", "7.2"),
                new FreeTdsTool("tsql", "7.3"),
                new FreeTdsTool("tsql", "7.4"),
                new FreeTdsTool("bsqldb", "7.4"),
                new Isql())) {
            table.put(
                    new ScriptDriver(tool),
                    Map.of(
                            CURSOR, "it opens no cursors",
                            CANCELLED, "it has no way to cancel",
                            BULK_LOAD, "it has no bulk load",
                            RESET, "it never asks for a reset"));
        }
        table.put(
                new Freebcp(),
                allBut(Set.of(BULK_LOAD, MANY_ROWS, LOGIN_FAILED), "it copies tables, and nothing else"));
        return table;
    }

    private static Map<Scenario, String> allBut(Set<Scenario> able, String reason) {
        Map<Scenario, String> unable = new EnumMap<>(Scenario.class);
        for (Scenario scenario : Scenario.values()) {
            if (!able.contains(scenario)) {
                unable.put(scenario, reason);
            }
        }
        return unable;
    }
}

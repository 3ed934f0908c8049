package dev.comporta.e2e.matrix;

import static dev.comporta.e2e.matrix.Scenario.BULK_LOAD;
import static dev.comporta.e2e.matrix.Scenario.CANCELLED;
import static dev.comporta.e2e.matrix.Scenario.CURSOR;
import static dev.comporta.e2e.matrix.Scenario.ERRORS;
import static dev.comporta.e2e.matrix.Scenario.LARGE_VALUE;
import static dev.comporta.e2e.matrix.Scenario.LOGIN_FAILED;
import static dev.comporta.e2e.matrix.Scenario.MANY_ROWS;
import static dev.comporta.e2e.matrix.Scenario.RESET;
import static dev.comporta.e2e.matrix.Scenario.SEVERAL_RESULTS;
import static dev.comporta.e2e.matrix.Scenario.TEMP_TABLE;
import static dev.comporta.e2e.matrix.Scenario.UNKNOWN_DATABASE;

import dev.comporta.e2e.matrix.Traits.Decimals;
import dev.comporta.e2e.matrix.Traits.Offsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The drivers of the matrix, and the one table of what each of them has no way to do, whatever the server. */
final class Drivers {
    private static final Traits PYTHON = new Traits(6, Decimals.EXACT, Offsets.KEPT, Map.of());
    private static final Traits PYTHON_TDS = new Traits(6, Decimals.WITHOUT_SCALE, Offsets.KEPT, Map.of());
    private static final Traits JAVASCRIPT = new Traits(7, Decimals.DOUBLES, Offsets.IN_UTC, Map.of());
    private static final Traits PYODBC = PYTHON.unable(EveryType.DATETIMEOFFSET, "it does not know the type")
            .unable(EveryType.SQL_VARIANT, "it does not know the type");

    private static final String LAST_MOMENT = "it rounds a day's last moment up to hour 24, and fails";
    private static final Traits PYMSSQL = PYTHON.unable(EveryType.TIME, LAST_MOMENT)
            .unable(EveryType.DATETIME2, LAST_MOMENT)
            .unable(EveryType.SHORT_DATETIME2, LAST_MOMENT)
            .unable(EveryType.DATETIMEOFFSET, LAST_MOMENT)
            .unable(EveryType.SQL_VARIANT, "it gives the bytes, and not what they are");

    private static final String NO_BULK_LOAD = "it has no bulk load";
    private static final String NO_CURSORS = "it opens no server cursors";
    private static final String NO_RESET = "it never asks for a reset";
    private static final String NO_NUMBERS = "it shows no error numbers";
    private static final String LAST_LOGIN_ERROR = "of a login's errors it shows the last, which is 18456";

    private Drivers() {}

    static Map<Driver, Map<Scenario, String>> all() {
        Map<Driver, Map<Scenario, String>> table = new LinkedHashMap<>();
        for (Tls tls : Tls.values()) {
            table.put(new MssqlJdbc(tls), Map.of());
            table.put(ProgramDriver.tedious(tls, JAVASCRIPT), Map.of(CURSOR, NO_CURSORS));
        }
        // TDS 8.0 is Microsoft's and tedious' alone.
        for (Tls tls : List.of(Tls.OFF, Tls.ON)) {
            addJava(table, tls);
            addPython(table, tls);
            addCommandLine(table, tls);
        }
        return table;
    }

    private static void addJava(Map<Driver, Map<Scenario, String>> table, Tls tls) {
        table.put(new Jtds(tls), Map.of(BULK_LOAD, NO_BULK_LOAD, RESET, NO_RESET));
        table.put(
                new VertxMssql(tls),
                Map.of(
                        CANCELLED, "it has no way to cancel",
                        BULK_LOAD, NO_BULK_LOAD,
                        RESET, NO_RESET));
    }

    private static void addPython(Map<Driver, Map<Scenario, String>> table, Tls tls) {
        table.put(
                ProgramDriver.python("pymssql", tls, PYMSSQL, "pymssql-client.py"),
                Map.of(
                        CURSOR, NO_CURSORS,
                        BULK_LOAD, "its bulk copy sends nvarchar as single bytes, which no server takes",
                        RESET, NO_RESET,
                        UNKNOWN_DATABASE, LAST_LOGIN_ERROR));
        table.put(
                ProgramDriver.python("python-tds", tls, PYTHON_TDS, "python-tds.py"),
                Map.of(
                        CURSOR, NO_CURSORS,
                        RESET, NO_RESET,
                        UNKNOWN_DATABASE, LAST_LOGIN_ERROR));
        table.put(
                ProgramDriver.python("ODBC (pyodbc, FreeTDS)", tls, PYODBC, "odbc.py"),
                Map.of(
                        CURSOR, NO_CURSORS,
                        BULK_LOAD, NO_BULK_LOAD,
                        RESET, NO_RESET,
                        UNKNOWN_DATABASE, LAST_LOGIN_ERROR));
    }

    private static void addCommandLine(Map<Driver, Map<Scenario, String>> table, Tls tls) {
        Map<Scenario, String> scripts = Map.of(
                CURSOR, NO_CURSORS,
                CANCELLED, "it has no way to cancel",
                BULK_LOAD, NO_BULK_LOAD,
                RESET, NO_RESET);
        for (String version : List.of("7.1", "7.2", "7.3", "7.4")) {
            table.put(new ScriptDriver(new FreeTdsTool("tsql", version, tls)), scripts);
        }
        table.put(
                new ScriptDriver(new FreeTdsTool("bsqldb", "7.4", tls)),
                both(
                        scripts,
                        Map.of(
                                ERRORS, "it ends at the first error",
                                LARGE_VALUE, "it shows nvarchar(max) as hex",
                                UNKNOWN_DATABASE, "it logs in first, and then changes to the database")));
        table.put(
                new ScriptDriver(new Isql(tls)),
                both(
                        scripts,
                        Map.of(
                                TEMP_TABLE, NO_NUMBERS,
                                ERRORS, NO_NUMBERS,
                                LOGIN_FAILED, NO_NUMBERS,
                                UNKNOWN_DATABASE, NO_NUMBERS,
                                SEVERAL_RESULTS, "it shows no messages",
                                LARGE_VALUE, "it cuts long lines")));
        table.put(
                new Freebcp(tls),
                allBut(Set.of(BULK_LOAD, MANY_ROWS, LOGIN_FAILED), "it copies tables, and does nothing else"));
    }

    private static Map<Scenario, String> both(Map<Scenario, String> some, Map<Scenario, String> others) {
        Map<Scenario, String> all = new EnumMap<>(some);
        all.putAll(others);
        return all;
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

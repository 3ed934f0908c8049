package dev.comporta.e2e.matrix;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What each driver is put through, and what it must find: facts, one a line, in order. They are what SQL Server answers;
 * a server that answers otherwise is wrong, not the fact.
 */
enum Scenario {
    EVERY_TYPE("reads every type exactly"),
    PARAMETERS(
            "passes parameters",
            "int=-2147483648",
            "bigint=9007199254740993",
            "bit=true",
            "decimal=12345.6789",
            "float=0.1",
            "nvarchar=olá 日本語 😀",
            "varbinary=0x00FF10",
            "datetime=2024-02-29 12:34:56.79",
            "null=NULL"),
    PREPARED(
            "executes a prepared statement repeatedly",
            "names=" + IntStream.rangeClosed(1, 20).mapToObj(id -> "row " + id).collect(Collectors.joining(","))),
    COMMITTED("transaction committed is seen by others", "inside=1"),
    ROLLED_BACK("transaction rolled back leaves no row", "inside=1", "after=0"),
    TEMP_TABLE("temp table is seen by its own session only", "own=3", "other=208"),
    PROCEDURE(
            "procedure gives a result, output parameters and a status",
            "row=20",
            "sum=42",
            "said=the sum is there",
            "status=7"),
    MANY_ROWS("reads 100,000 rows", "rows=100000", "sum=5000050000", "characters=888895"),
    SEVERAL_RESULTS(
            "reads every result of a batch, its counts and messages",
            "first=1",
            "inserted=2",
            "names=one,two",
            "said=done"),
    LARGE_VALUE("sends and reads a value of a million characters", "length=1000000", "same=true"),
    CURSOR("reads through a server cursor", "rows=1000", "sum=500500"),
    CANCELLED("cancels a running WAITFOR and goes on", "cancelled", "then=1"),
    BULK_LOAD("bulk loads a thousand rows", "loaded"),
    RESET("resets its session on its way through a pool", "before=3", "after=7", "temp table=208"),
    ERRORS(
            "shows errors with their numbers and goes on",
            "missing table=208",
            "duplicate key=2627",
            "syntax=102",
            "division by zero=8134",
            "raised=50000 the gate is closed",
            "then=1"),
    LOGIN_FAILED("shows 18456 for a wrong password", "login=18456"),
    UNKNOWN_DATABASE("shows 4060 for an unknown database", "login=4060");

    /** What a scenario that calls it finds in {@link #PROCEDURE}: a result, two output parameters and a status. */
    static final String PROCEDURE_TEXT = """
            CREATE PROCEDURE matrix_add @a int, @b int, @sum int OUTPUT, @said nvarchar(40) OUTPUT AS
            BEGIN
                SELECT @a AS a
                SET @sum = @a + @b
                SET @said = N'the sum is there'
                RETURN 7
            END
            """;

    private final String title;
    private final List<String> facts;

    Scenario(String title, String... facts) {
        this.title = title;
        this.facts = List.of(facts);
    }

    String title() {
        return title;
    }

    /** Whether its login fails, which delays the next logins of its user and address through a proxy. */
    boolean failsLogin() {
        return this == LOGIN_FAILED || this == UNKNOWN_DATABASE;
    }

    List<String> facts(Traits traits) {
        if (this == EVERY_TYPE) {
            return EveryType.facts(traits);
        }
        return facts.stream().map(fact -> asShown(fact, traits)).toList();
    }

    private static String asShown(String fact, Traits traits) {
        String time = "datetime=";
        return fact.startsWith(time)
                ? time + traits.expected(EveryType.Kind.TIME, fact.substring(time.length()))
                : fact;
    }

    /** What the scenario must leave in its table, as another connection sees it. */
    String leaves() {
        return switch (this) {
            case PREPARED -> "20 rows, 20 with a name, ids 210, amounts NULL";
            case COMMITTED, ERRORS -> "1 rows, 1 with a name, ids 1, amounts NULL";
            case SEVERAL_RESULTS -> "2 rows, 2 with a name, ids 3, amounts NULL";
            case BULK_LOAD -> "1000 rows, 900 with a name, ids 500500, amounts 125125.0000";
            case EVERY_TYPE,
                    PARAMETERS,
                    ROLLED_BACK,
                    TEMP_TABLE,
                    PROCEDURE,
                    MANY_ROWS,
                    LARGE_VALUE,
                    CURSOR,
                    CANCELLED,
                    RESET,
                    LOGIN_FAILED,
                    UNKNOWN_DATABASE -> "0 rows, 0 with a name, ids NULL, amounts NULL";
        };
    }
}

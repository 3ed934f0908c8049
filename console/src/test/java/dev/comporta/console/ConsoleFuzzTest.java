package dev.comporta.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.eval.scalar.Budget;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** Whatever the text, there is an outcome: never an exception, never an internal error, never a hang. */
class ConsoleFuzzTest {
    private static final List<String> TOKENS = List.of(
            "SELECT",
            "DISTINCT",
            "TOP",
            "FROM",
            "WHERE",
            "GROUP BY",
            "HAVING",
            "ORDER BY",
            "UNION",
            "ALL",
            "JOIN",
            "LEFT JOIN",
            "CROSS JOIN",
            "ON",
            "AS",
            "AND",
            "OR",
            "NOT",
            "IN",
            "BETWEEN",
            "LIKE",
            "ESCAPE",
            "IS",
            "NULL",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "END",
            "EXISTS",
            "ASC",
            "DESC",
            "COUNT(*)",
            "COUNT(",
            "SUM(",
            "MIN(",
            "AVG(",
            "STRING_AGG(",
            "CAST(",
            "CONVERT(INT,",
            "DATEDIFF(second,",
            "COALESCE(",
            "SUBSTRING(",
            "ROUND(",
            "LEFT(",
            "DATEADD(year,",
            "(",
            ")",
            "(",
            ")",
            ",",
            ",",
            ".",
            ";",
            "\n",
            "=",
            "<>",
            "<",
            "+",
            "-",
            "*",
            "/",
            "%",
            "1",
            "0",
            "2147483647",
            "9223372036854775807",
            "1.5",
            "1e308",
            "'a'",
            "''",
            "'%a_['",
            "N'x'",
            "'2026-01-01'",
            "@p",
            "@@VERSION",
            "clients",
            "c",
            "sys.clients c",
            "login",
            "client_id",
            "server_name",
            "remote_pool_stats",
            "acquires",
            "avg_wait",
            "last_activity",
            "sys.all_columns",
            "sys.all_objects o",
            "healthy",
            "GETDATE()",
            "TRUE",
            "SHOW",
            "POOLS",
            "PAUSE",
            "SET",
            "NOCOUNT",
            "IF",
            "BEGIN",
            "DECLARE",
            "@t",
            "TABLE",
            "INT",
            "EXEC",
            "sp_tables",
            "CREATE SERVER",
            "OPTIONS",
            "--",
            "/*",
            "*/",
            "[",
            "]",
            "\"",
            "'",
            "COLLATE",
            "x");

    private final Host host = new Host(new Budget.Limits(20_000, 500, 20_000, Duration.ofSeconds(5)));

    @Property(tries = 3000)
    void anyText(@ForAll String text) {
        check(text);
    }

    @Property(tries = 5000)
    void anyTokens(@ForAll("tokens") List<String> tokens) {
        check(String.join(" ", tokens));
    }

    @Property(tries = 5000)
    void queriesOfAnyExpression(@ForAll("tokens") List<String> tokens) {
        check("SELECT " + String.join(" ", tokens) + " FROM clients c, remote_pool_stats p");
    }

    /** Random tokens hardly ever make a query. These always do, and most of them are evaluated. */
    @Property(tries = 5000)
    void wellFormedQueries(
            @ForAll("expressions") String selected,
            @ForAll("conditions") String condition,
            @ForAll("expressions") String order) {
        List<Outcome> outcomes = check("SELECT TOP 5 " + selected + " FROM clients c, remote_pool_stats p WHERE "
                + condition + " ORDER BY " + order);
        assertThat(outcomes).hasSize(1);
        Statistics.label("outcome")
                .collect(outcomes.getFirst() instanceof Outcome.Failed failed ? failed.number() : 0)
                .coverage(reached -> {
                    reached.check(0).percentage(percent -> percent > 20);
                    reached.check(102).percentage(percent -> percent < 20);
                });
    }

    @Provide
    Arbitrary<String> expressions() {
        return expressions(2);
    }

    @Provide
    Arbitrary<String> conditions() {
        return conditions(2);
    }

    private static Arbitrary<String> expressions(int depth) {
        Arbitrary<String> simple = Arbitraries.of(
                "1",
                "0",
                "-1",
                "2147483647",
                "9223372036854775807",
                "1.5",
                "1e308",
                "'a'",
                "''",
                "'%a_['",
                "'12'",
                "NULL",
                "'2026-01-01'",
                "GETDATE()",
                "@@VERSION",
                "c.login",
                "c.client_id",
                "p.active",
                "p.acquires",
                "p.avg_wait",
                "p.healthy",
                "p.last_activity",
                "p.reason",
                "p.server_name");
        if (depth == 0) {
            return simple;
        }
        Arbitrary<String> inner = expressions(depth - 1);
        Arbitrary<String> calls = Combinators.combine(
                        Arbitraries.of(
                                "UPPER(%s)",
                                "LEN(%s)",
                                "ABS(%s)",
                                "FLOOR(%s)",
                                "LEFT(%s, %s)",
                                "RIGHT(%s, %s)",
                                "ROUND(%s, %s)",
                                "ISNULL(%s, %s)",
                                "NULLIF(%s, %s)",
                                "COALESCE(NULL, %s, %s)",
                                "CONCAT(%s, %s)",
                                "CHARINDEX(%s, %s)",
                                "SUBSTRING(%s, %s, %s)",
                                "CAST(%s AS INT)",
                                "CAST(%s AS BIT)",
                                "CAST(%s AS DATETIME2)",
                                "CAST(%s AS NVARCHAR(3))",
                                "TRY_CAST(%s AS FLOAT)",
                                "CONVERT(NVARCHAR, %s, 126)",
                                "DATEADD(year, %s, %s)",
                                "DATEDIFF(second, %s, %s)",
                                "IIF(%s = %s, %s, 0)",
                                "CASE %s WHEN %s THEN %s END",
                                "(SELECT MAX(%s) FROM clients)",
                                "QUOTENAME(%s)",
                                "TRIM(%s)"),
                        inner,
                        inner,
                        inner)
                .as((form, a, b, c) -> form.formatted(a, b, c));
        Arbitrary<String> sums = Combinators.combine(inner, Arbitraries.of("+", "-", "*", "/", "%"), inner)
                .as((a, operator, b) -> "(" + a + " " + operator + " " + b + ")");
        return Arbitraries.oneOf(simple, calls, sums);
    }

    private static Arbitrary<String> conditions(int depth) {
        Arbitrary<String> value = expressions(depth - 1);
        Arbitrary<String> comparisons = Combinators.combine(
                        Arbitraries.of(
                                "%s = %s",
                                "%s <> %s",
                                "%s < %s",
                                "%s >= %s",
                                "%s LIKE %s",
                                "%s IN (%s, NULL)",
                                "%s BETWEEN %s AND 5",
                                "%s IS NULL",
                                "EXISTS (SELECT %s WHERE 1 = 1)"),
                        value,
                        value)
                .as((form, a, b) -> form.formatted(a, b));
        Arbitrary<String> pairs = Combinators.combine(comparisons, Arbitraries.of(" AND NOT ", " OR "), comparisons)
                .as((a, operator, b) -> a + operator + b);
        return Arbitraries.oneOf(comparisons, pairs);
    }

    @Provide
    Arbitrary<List<String>> tokens() {
        return Arbitraries.of(TOKENS).list().ofMinSize(1).ofMaxSize(12);
    }

    private List<Outcome> check(String text) {
        List<Outcome> outcomes = host.execute(text);
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failed failed) {
                assertThat(failed.message()).as(text).isNotBlank().doesNotContain("Internal error");
                assertThat(failed.line()).as(text).isPositive();
                assertThat(failed.column()).as(text).isPositive();
            }
        }
        return outcomes;
    }
}

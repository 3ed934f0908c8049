package dev.comporta.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.eval.Budget;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

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

    @Provide
    Arbitrary<List<String>> tokens() {
        return Arbitraries.of(TOKENS).list().ofMinSize(1).ofMaxSize(12);
    }

    private void check(String text) {
        List<Outcome> outcomes = host.execute(text);
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failed failed) {
                assertThat(failed.message()).as(text).isNotBlank().doesNotContain("Internal error");
                assertThat(failed.line()).as(text).isPositive();
                assertThat(failed.column()).as(text).isPositive();
            }
        }
    }
}

package dev.comporta.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.eval.scalar.Budget;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
    private final Host host = new Host(new Budget.Limits(60_000, 50, 20_000, Duration.ofSeconds(30)));

    @Test
    void longTextIsRefusedUnread() {
        // Had it been read, there would be a syntax error.
        assertThat(host.ask("nonsense -- " + "x".repeat(60_000)))
                .isEqualTo("103 at 1:1: The text has 60012 characters; the console takes at most 60000.");
    }

    @Test
    void resultWithTooManyRowsIsRefused() {
        assertThat(host.ask("SELECT 1 FROM clients a, clients b, clients c"))
                .isEqualTo("8649 at 1:1: The result has more than 50 rows. Narrow it with WHERE, TOP or GROUP BY.");
        assertThat(host.ask("SELECT TOP 2 1 FROM clients a, clients b, clients c"))
                .isEqualTo("1; 1");
    }

    @Test
    void rowsOfAllResultsCountTogether() {
        assertThat(host.execute("SELECT 1 FROM clients a, clients b;".repeat(4)))
                .hasSize(4);
        assertThat(host.ask("SELECT 1 FROM clients a, clients b;".repeat(4))).startsWith("8649 at 1:106");
    }

    @Test
    void crossJoinEndsWithItsBudget() {
        assertThat(host.ask("SELECT COUNT(*) FROM clients a, clients b, clients c, clients d, clients e, clients f,"
                        + " clients g, clients h"))
                .contains("8649 at ", "The query was ended: it took more than 20000 steps.");
    }

    @Test
    void patternsAndTextsCostSteps() {
        String text = "'" + "a".repeat(5_000) + "'";
        assertThat(host.ask("SELECT 1 WHERE " + text + " LIKE '" + "%a".repeat(2_000) + "b'"))
                .contains("8649 at ", "it took more than 20000 steps");
        String joined = " FROM clients a, clients b, clients c, clients d, clients e";
        assertThat(host.ask("SELECT COUNT(*)" + joined)).isEqualTo("1024");
        assertThat(host.ask("SELECT LEN(STRING_AGG('" + "x".repeat(20) + "', ''))" + joined))
                .contains("8649 at ", "it took more than 20000 steps");
    }

    @Test
    void textInAResultIsBounded() {
        String text = "'" + "a".repeat(50_000) + "'";
        Host large = new Host();
        assertThat(large.ask(
                        "SELECT " + text + " + a.login FROM clients a, clients b, clients c, clients d, clients e"))
                .isEqualTo("8649 at 1:1: The result has more than 50000000 characters of text. Select fewer columns.");
    }

    @Test
    void distinctValuesAreCounted() {
        assertThat(host.ask("SELECT COUNT(DISTINCT a.client_id * 16 + b.client_id * 4 + c.client_id) FROM clients a,"
                        + " clients b, clients c"))
                .startsWith("8649 at 1:8: The result has more than 50 rows.");
    }

    @Test
    void queryEndsWithItsTime() {
        AtomicLong nanos = new AtomicLong();
        assertThat(longQuery(() -> nanos.getAndAdd(1_000_000), () -> {})).contains("it took more than 5 ms");
    }

    @Test
    void queryGivesWayToOthersAndTheirTimeIsNotCounted() {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger times = new AtomicInteger();
        String answer = longQuery(nanos::get, () -> {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            times.incrementAndGet();
        });
        assertThat(answer).as("four rows, ten times joined with themselves").isEqualTo("1048576");
        assertThat(times).hasPositiveValue();
    }

    private String longQuery(LongSupplier nanoClock, Runnable giveWay) {
        Console console = new Console(
                "comporta",
                host.console().catalog().views().stream()
                        .filter(view -> !view.shownAs().isEmpty())
                        .toList(),
                host,
                new Budget.Limits(1_000, 50, 1_000_000_000, Duration.ofMillis(5)),
                InstantSource.system(),
                nanoClock,
                giveWay);
        List<Outcome> outcomes = console.execute(
                "SELECT COUNT(*) FROM clients a, clients b, clients c, clients d, clients e, clients f, clients g,"
                        + " clients h, clients i, clients j",
                Parameters.NONE,
                host);
        return Host.shown(outcomes.getLast());
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 10_000})
    void deepNestingIsAnErrorAndNoStackOverflow(int depth) {
        for (String text : List.of(
                "SELECT " + "(".repeat(depth) + "1" + ")".repeat(depth),
                "SELECT " + "- ".repeat(depth) + "1",
                "SELECT 1 WHERE " + "NOT ".repeat(depth) + "1 = 1",
                "SELECT 1" + " + 1".repeat(depth),
                "SELECT 1" + " * (1 + 1)".repeat(Math.min(depth, 5_000)),
                "SELECT " + "UPPER(".repeat(Math.min(depth, 8_000)) + "'A'" + ")".repeat(Math.min(depth, 8_000)),
                "SELECT " + "(SELECT ".repeat(Math.min(depth, 6_000)) + "1" + ")".repeat(Math.min(depth, 6_000)),
                "IF 1 = 1 ".repeat(Math.min(depth, 6_000)) + "SELECT 1",
                "BEGIN ".repeat(depth) + "SELECT 1" + " END".repeat(Math.min(depth, 10)),
                "SELECT " + "CASE WHEN 1 = 1 THEN ".repeat(Math.min(depth, 2_000)) + "1"
                        + " END".repeat(Math.min(depth, 2_000)))) {
            Outcome last = new Host().execute(text).getLast();
            if (depth == 10) {
                assertThat(last).as(text).isInstanceOf(Outcome.Rows.class);
            } else {
                assertThat(Host.shown(last)).as(text.substring(0, 40)).matches("(191|106) at .*");
            }
        }
    }

    @Test
    void deepestTreeThatIsAcceptedRunsOnASmallStack() throws InterruptedException {
        String sum = "1" + " + 1".repeat(190);
        String text =
                "SELECT " + "(SELECT ".repeat(9) + sum + ")".repeat(9) + " WHERE " + "NOT ".repeat(4) + sum + " > 0";
        String[] answer = {""};
        Thread thread = new Thread(null, () -> answer[0] = new Host().ask(text), "small", 256 * 1024);
        thread.start();
        thread.join();
        assertThat(answer[0]).isEqualTo("191");
        assertThat(new Host().ask(text.replace(sum, sum + " + 1")))
                .as("one level more")
                .startsWith("191 at ");
    }

    @Test
    void longListsAreNoNesting() {
        String list = "1" + ", 1".repeat(5_000);
        assertThat(new Host().ask("SELECT 1 WHERE 1 IN (" + list + ")")).isEqualTo("1");
        assertThat(new Host().ask("SELECT 1 WHERE 1 = 1" + " AND 1 = 1".repeat(5_000)))
                .isEqualTo("1");
        assertThat(new Host().ask("SELECT 1 WHERE 1 = 0" + " OR 1 = 0".repeat(5_000) + " OR 1 = 1"))
                .isEqualTo("1");
    }
}

package dev.comporta.tds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class SqlScannerPropertyTest {
    /** What stands between tokens and means nothing. */
    private static final List<String> GAPS = List.of(
            " ",
            "\t",
            "\r\n",
            "\n",
            "/* BEGIN TRAN */",
            "/**/",
            "/* /* ' */ \" */",
            "-- SET NOCOUNT ON '[\n",
            "--\r\n");

    /** Tokens that make up, in any order, texts that are full of near misses. */
    private static final List<String> TOKENS = List.of(
            "SELECT",
            "1",
            "a",
            "[b]",
            "'c'",
            "N'SET'",
            "(",
            ")",
            ",",
            ";",
            ".",
            "=",
            "@x",
            "@@IDENTITY",
            "#t",
            "##g",
            "BEGIN",
            "TRAN",
            "END",
            "TRY",
            "CATCH",
            "IF",
            "ELSE",
            "WHILE",
            "EXISTS",
            "CASE",
            "WHEN",
            "THEN",
            "SET",
            "NOCOUNT",
            "ROWCOUNT",
            "ON",
            "OFF",
            "TRANSACTION",
            "ISOLATION",
            "LEVEL",
            "READ",
            "COMMITTED",
            "EXEC",
            "AS",
            "sp_getapplock",
            "sp_who",
            "sp_executesql",
            "N'BEGIN TRAN'",
            "'EXEC (''SET CONTEXT_INFO 0x1'')'",
            "10MB",
            "£1",
            "?",
            "ALWAYS",
            "ROW",
            "UPDATE",
            "INSERT",
            "INTO",
            "BULK",
            "VALUES",
            "MERGE",
            "USE",
            "CREATE",
            "TABLE",
            "ALTER",
            "DATABASE",
            "PROC",
            "DECLARE",
            "c",
            "CURSOR",
            "LOCAL",
            "FOR",
            "OPEN",
            "DEALLOCATE",
            "GOTO",
            "RETURN",
            "GRANT",
            "WITH",
            "ROLLBACK",
            "COMMIT",
            "SAVE",
            "DBCC",
            "{",
            "}",
            "fn",
            "call",
            "+",
            "-",
            "IDENTITY_INSERT",
            "STATISTICS",
            "IO",
            "FETCH",
            "ROWS",
            "UNION",
            "0x1F",
            "1e5",
            ":");

    @Provide
    Arbitrary<List<String>> tokens() {
        return Arbitraries.of(TOKENS).list().ofMinSize(1).ofMaxSize(40);
    }

    @Provide
    Arbitrary<String> anyText() {
        Arbitrary<String> fragment = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.of(TOKENS)),
                Tuple.of(3, Arbitraries.of(GAPS)),
                Tuple.of(
                        2,
                        Arbitraries.of(
                                "'", "\"", "[", "]", "/*", "*/", "--", "\r", "\n", "$", "\u00A0", "é", "0x", "1e")),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(5)));
        return fragment.list().ofMaxSize(40).map(parts -> String.join("", parts));
    }

    @Property(tries = 2000)
    void caseNeverMatters(@ForAll("tokens") List<String> tokens, @ForAll long seed) {
        String plain = String.join(" ", tokens);
        assertThat(withoutNames(SqlTexts.scan(randomCase(plain, new Random(seed)))))
                .isEqualTo(withoutNames(SqlTexts.scan(plain)));
    }

    @Property(tries = 2000)
    void whitespaceAndCommentsBetweenTokensNeverMatter(@ForAll("tokens") List<String> tokens, @ForAll long seed) {
        Random random = new Random(seed);
        String spaced = tokens.stream()
                .map(token -> token + (token.equals("-") ? " " : "") + gaps(random))
                .collect(Collectors.joining("", gaps(random), ""));
        assertThat(SqlTexts.describe(SqlTexts.scan(spaced)))
                .isEqualTo(SqlTexts.describe(SqlTexts.scan(String.join(" ", tokens))));
    }

    @Property(tries = 2000)
    void howTheTextIsCutNeverMatters(@ForAll("anyText") String text, @ForAll long seed) {
        Random random = new Random(seed);
        ByteBuf bytes = SqlTexts.utf16(text);
        SqlScanner scanner = new SqlScanner();
        scanner.start(Scope.BATCH);
        int at = 0;
        while (at < bytes.readableBytes()) {
            int piece = Math.min(1 + random.nextInt(7), bytes.readableBytes() - at);
            scanner.feed(bytes, at, piece);
            at += piece;
        }
        assertThat(SqlTexts.describe(scanner.end())).isEqualTo(SqlTexts.describe(SqlTexts.scan(text)));
    }

    @Property(tries = 1000)
    void whatIsQuotedNeverCounts(@ForAll("tokens") List<String> tokens) {
        String hidden = String.join(" ", tokens);
        String plain = SqlTexts.describe(SqlTexts.scan("SELECT x"));
        assertThat(SqlTexts.describe(SqlTexts.scan("SELECT '" + hidden.replace("'", "''") + "'")))
                .isEqualTo(plain);
        assertThat(SqlTexts.describe(SqlTexts.scan("SELECT [_" + hidden.replace("]", "]]") + "]")))
                .isEqualTo(plain);
        assertThat(SqlTexts.describe(SqlTexts.scan("SELECT \"_" + hidden + "\"")))
                .isEqualTo(plain);
        assertThat(SqlTexts.describe(SqlTexts.scan("SELECT x /* " + hidden + " */")))
                .isEqualTo(plain);
        assertThat(SqlTexts.describe(SqlTexts.scan("SELECT x -- " + hidden))).isEqualTo(plain);
    }

    @Property(tries = 1000)
    void stepsAreAtMostAFewPerCharacter(@ForAll("anyText") String text) {
        SqlScanner scanner = new SqlScanner();
        ByteBuf bytes = SqlTexts.utf16(text.repeat(20));
        scanner.scan(bytes, 0, bytes.readableBytes(), Scope.BATCH);
        assertThat(scanner.steps()).isLessThanOrEqualTo(6L * text.length() * 20 + 6);
    }

    @Property(tries = 500)
    void aStatementBeforeASureSetNeverHidesIt(@ForAll("statement") String before) {
        SqlFindings found = SqlTexts.scan(before + " SET LOCK_TIMEOUT 17");
        assertThat(SqlTexts.sets(found)).as(before).endsWith("LOCK_TIMEOUT=17");
        assertThat(found.understood()).as(before).isTrue();
    }

    @Property(tries = 500)
    void aSetUnderAConditionIsNeverSure(@ForAll("statement") String before, @ForAll("condition") String condition) {
        SqlFindings found = SqlTexts.scan(before + " " + condition + " SET LOCK_TIMEOUT 17");
        assertThat(SqlTexts.sets(found)).endsWith("LOCK_TIMEOUT?=17");
        assertThat(found.has(Finding.SETS_OPTION_PERHAPS)).isTrue();
    }

    @Provide
    Arbitrary<String> statement() {
        Arbitrary<String> simple = Arbitraries.of(
                "SELECT a, CASE WHEN b = 1 THEN 2 ELSE 3 END FROM t WHERE c IN (SELECT d FROM e)",
                "INSERT INTO t (a) SELECT b FROM u",
                "INSERT t EXEC p 1, 'x'",
                "UPDATE t SET a = 1, b += 2 FROM t JOIN u ON t.a = u.a",
                "DELETE t WHERE a = 1",
                "MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1);",
                "EXEC @r = dbo.p @a = 1 OUTPUT",
                "EXEC ('x')",
                "DECLARE @a int = 1, @b TABLE (c int)",
                "SET @a = 5",
                "SET NOCOUNT ON",
                "USE d",
                "BEGIN TRAN",
                "COMMIT TRAN",
                "CREATE TABLE t (a int)",
                "ALTER TABLE t ADD b int NULL",
                "ALTER DATABASE d SET RECOVERY SIMPLE",
                "UPDATE STATISTICS t",
                "GRANT SELECT, UPDATE ON t TO u",
                "DROP TABLE IF EXISTS t",
                "PRINT 'x'",
                "RAISERROR ('x', 16, 1)",
                "WAITFOR DELAY '00:00:01'",
                "DECLARE c CURSOR FOR SELECT a FROM t FOR UPDATE",
                "FETCH NEXT FROM c INTO @a",
                "DBCC USEROPTIONS",
                "lbl:",
                "SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY");
        Arbitrary<String> joined = Combinators.combine(simple, Arbitraries.of(" ", "; ", "\n"), simple)
                .as((a, separator, b) -> a + (b.startsWith("lbl") ? ";" : separator) + b);
        return Arbitraries.lazyOf(
                () -> joined,
                () -> simple,
                () -> Combinators.combine(condition(), simple).as((c, s) -> s.startsWith("lbl") ? s : c + " " + s),
                () -> simple.map(s -> "BEGIN " + s + " END"),
                () -> Combinators.combine(condition(), simple, simple)
                        .as((c, a, b) -> c + " BEGIN " + a + " END ELSE BEGIN " + b + " END"),
                () -> simple.map(s -> "BEGIN TRY " + s + " END TRY BEGIN CATCH PRINT 'x' END CATCH"));
    }

    @Provide
    Arbitrary<String> condition() {
        return Arbitraries.of(
                "IF @x = 1",
                "IF EXISTS (SELECT 1 FROM t)",
                "IF NOT EXISTS (SELECT 1 FROM t) AND @y IS NULL",
                "WHILE @@ROWCOUNT > 0",
                "IF CASE WHEN 1 = 1 THEN 1 ELSE 0 END = 1",
                "IF 1 = 1 SELECT 1 ELSE",
                "IF 1 = 1 WHILE 2 = 2 IF 3 = 3",
                "IF 1 = 1 BEGIN SELECT 1 END ELSE IF 2 = 2");
    }

    /** Values and names keep the case they were written in. */
    private static String withoutNames(SqlFindings found) {
        return found.bits() + " " + found.doubt() + " " + found.setCount() + " " + found.procedureCount();
    }

    private static String randomCase(String text, Random random) {
        return text.chars()
                .map(c -> random.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c))
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static String gaps(Random random) {
        StringBuilder gaps = new StringBuilder();
        do {
            gaps.append(GAPS.get(random.nextInt(GAPS.size())));
        } while (random.nextInt(3) == 0);
        return gaps.toString();
    }
}

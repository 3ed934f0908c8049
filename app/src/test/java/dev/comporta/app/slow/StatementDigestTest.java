package dev.comporta.app.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementDigestTest {
    private static String digest(String sql) {
        return StatementDigest.of(sql).text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT a, b FROM dbo.t WHERE id = 42 | SELECT a, b FROM dbo.t WHERE id = ?",
                "select  a\t from t where s = 'it''s' and n = N'x' | select a from t where s = ? and n = ?",
                "SELECT 1.5, .5, 1e-6, 0xCAFE, $12.50 FROM t | SELECT ?, ?, ?, ?, ? FROM t",
                "SELECT * FROM t WHERE id IN (1,2, 3 ,-4) | SELECT * FROM t WHERE id IN(?)",
                "SELECT * FROM t WHERE id IN (@P0, @p1,@P12) | SELECT * FROM t WHERE id IN(?)",
                "INSERT t (a, b) VALUES (1, 'x'), (2, 'y'), (3, NULL) | INSERT t(a, b) VALUES(?), (?, NULL)",
                "INSERT t VALUES (1, 'x'), (2, 'y'), (3, 'z') | INSERT t VALUES(?)",
                "UPDATE t SET a = @a, b = @b WHERE c = @P1 | UPDATE t SET a = @a, b = @b WHERE c = ?",
                "SELECT [my table].[a b] FROM [x]]y] | SELECT [my table].[a b] FROM [x]]y]",
                "SELECT \"either\" FROM t | SELECT \"?\" FROM t",
                "SELECT /* a /* nested 'x */ b */ 1 -- 'rest | SELECT ?",
                "SELECT a-1, a - -1, a<=-5 FROM t | SELECT a - ?, a - ?, a <= ? FROM t",
                "EXEC dbo.p 'x', secret, @a = 5, @b = word OUTPUT | EXEC dbo.p ?, ?, @a = ?, @b = ? OUTPUT",
                "sp_password NULL, secret, bob | sp_password NULL, ?, ?",
                "EXEC @r = sp_myexec secret SELECT a FROM t | EXEC @r = sp_myexec ? SELECT a FROM t",
                "EXEC p secret; SELECT a FROM t | EXEC p ?; SELECT a FROM t",
                "SELECT 'never closed, id = 4 | SELECT ?",
                "SELECT 1 /* never closed | SELECT ?",
            })
    void keepsNamesAndNoValues(String sql, String expected) {
        assertThat(digest(sql)).isEqualTo(expected);
    }

    @Test
    void isTheSameWhateverTheSpacingCommentsAndValues() {
        StatementDigest one = StatementDigest.of("SELECT a FROM t WHERE b=1 AND c IN ('x','y')");
        StatementDigest other = StatementDigest.of("SELECT a\r\nFROM t -- here\r\nWHERE b = 22\r\n AND c IN('z')");
        assertThat(other).isEqualTo(one);
        assertThat(StatementDigest.of("SELECT a FROM u WHERE b=1 AND c IN ('x','y')")
                        .hash())
                .isNotEqualTo(one.hash());
    }

    /** It is looked for in logs of other instances and of last year. */
    @Test
    void hashNeverChanges() {
        assertThat(StatementDigest.of("SELECT 1").hash()).isEqualTo("66cbb3a40d4bbd15");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE LOGIN x WITH PASSWORD = 'hunter2'",
                "CREATE LOGIN x WITH PASSWORD = N'hunter2' MUST_CHANGE",
                "EXEC sp_addlogin bob, hunter2",
                "EXECUTE master..sp_addlogin @loginame = bob, @passwd = hunter2",
                "DECLARE @p nvarchar(9) = \"hunter2\" EXEC p @p",
                "sp_addlogin 'bob', hunter2",
                "/* x */ ; sp_addlogin bob, hunter2",
            })
    void hasNoPasswordInIt(String sql) {
        assertThat(digest(sql)).doesNotContain("hunter2");
    }

    /** The statement may be cut anywhere. */
    @Test
    void takesAnyTextAndNeverKeepsAQuotedOne() {
        String sql =
                "INSERT [a]]b] (x) SELECT N'hunter2', 'it''s hunter2', \"hunter2\" /* hunter2 /**/ */ FROM t -- hunter2";
        for (int end = 0; end <= sql.length(); end++) {
            assertThat(digest(sql.substring(0, end))).doesNotContain("hunter");
        }
        Random random = new Random(1);
        String letters = "aN'\"[]/*-;,().@#$ 12xeE\n\u20ac\ud83d";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(12); n >= 0; n--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            assertThat(digest(text.toString()).length()).isLessThanOrEqualTo(3 * text.length() + 3);
        }
    }
}

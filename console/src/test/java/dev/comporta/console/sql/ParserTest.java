package dev.comporta.console.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParserTest {
    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            SELECT                         => 1:7  expected an expression
            SELECT FROM t                  => 1:8  expected an expression
            SELECT 1 +                     => 1:11 expected an expression
            SELECT (1                      => 1:10 expected ')'
            SELECT 1,                      => 1:10 expected an expression
            SELECT * FROM                  => 1:14 expected the name of a view
            SELECT * FROM t WHERE          => 1:22 expected an expression
            SELECT * FROM t GROUP a        => 1:23 expected BY
            SELECT * FROM t ORDER a        => 1:23 expected BY
            SELECT * FROM t JOIN u         => 1:23 expected ON
            SELECT * FROM t LEFT u         => 1:22 expected JOIN
            SELECT * FROM (SELECT 1)       => 1:25 expected a name for the query in parentheses
            SELECT * FROM (1)              => 1:16 expected SELECT
            SELECT TOP x a FROM t          => 1:12 expected a number behind TOP
            SELECT a b c FROM t            => 1:12 expected a statement
            SELECT a AS FROM t             => 1:13 expected a name behind AS
            SELECT a IS 1                  => 1:13 expected NULL
            SELECT a NOT 1                 => 1:14 expected IN, BETWEEN or LIKE
            SELECT a WHERE b BETWEEN 1     => 1:27 expected AND
            SELECT CASE 1 END              => 1:15 expected WHEN
            SELECT CASE WHEN 1 = 1 THEN 2  => 1:30 expected END
            SELECT CAST(1 INT)             => 1:15 expected AS
            SELECT a.                      => 1:10 expected a name behind the dot
            SELECT a ? b                   => 1:10 expected a statement
            SELECT 1 FROM t RIGHT JOIN u   => 1:17 supports INNER, LEFT and CROSS JOIN
            SELECT MAX(a) OVER ()          => 1:15 Window functions (OVER) are not supported
            SELECT 1 EXCEPT SELECT 2       => 1:10 does not support 'EXCEPT'
            SELECT a FROM t ORDER BY a OFFSET 1 ROWS => 1:28 Use TOP
            SELECT 'abc                    => 1:8  Unclosed quotation mark
            SELECT [abc                    => 1:8  Unclosed name
            SELECT /* abc                  => 1:8  Missing end comment mark
            SET TRANSACTION ISOLATION LEVEL x => 1:34 expected an isolation level
            SET NOCOUNT                    => 1:12 expected ON, OFF or a value
            BEGIN SELECT 1                 => 1:15 expected END
            DECLARE x INT                  => 1:9  expected a variable such as @name
            INSERT INTO @t VALUES (1)      => 1:16 expected EXEC
            ;1                             => 1:2  expected a statement
            """)
    void errorSaysWhereAndWhatWasExpected(String text, String placeAndMessage) {
        SqlError error = catchThrowableOfType(SqlError.class, () -> Parser.parse(text));
        String place = placeAndMessage.substring(0, placeAndMessage.indexOf(' '));
        assertThat(error.at().line() + ":" + error.at().column())
                .as(error.getMessage())
                .isEqualTo(place);
        assertThat(error.getMessage())
                .contains(placeAndMessage.substring(place.length()).strip());
    }

    @Test
    void positionsCountLinesAndColumnsFromOne() {
        SqlError error =
                catchThrowableOfType(SqlError.class, () -> Parser.parse("SELECT 1\r\n/* two\n lines */ FROM 'x\ny'"));
        assertThat(List.of(error.at().line(), error.at().column())).isEqualTo(List.of(3, 16));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " \t\r\n",
                ";;;",
                "-- nothing",
                "/* nothing /* at */ all */",
                "GO",
            })
    void textMayHaveNoStatement(String text) {
        assertThat(Parser.parse(text)).isEmpty();
    }

    @Test
    void bracketsAndQuotesMakeNamesOfAnyWord() {
        Statement.Select select = (Statement.Select) Parser.parse("SELECT [select], \"from\", [a]]b] FROM [x y].\"z\"")
                .getFirst();
        assertThat(select.query().first().items())
                .extracting(item -> ((Query.Item.Value) item).expr().toString())
                .containsExactly("select", "from", "a]b");
        assertThat(((Query.Source.Named) select.query().first().from()).name()).containsExactly("x y", "z");
    }

    @Test
    void operatorsBindAsInTSql() {
        assertThat(expr("a + b * c")).isEqualTo(expr("a + (b * c)")).isNotEqualTo(expr("(a + b) * c"));
        assertThat(expr("a - b - c")).isEqualTo(expr("(a - b) - c")).isNotEqualTo(expr("a - (b - c)"));
        assertThat(where("NOT a = 1 AND b = 2 OR c = 3"))
                .isEqualTo(where("((NOT (a = 1)) AND b = 2) OR c = 3"))
                .isNotEqualTo(where("NOT (a = 1 AND b = 2) OR c = 3"));
        assertThat(where("a BETWEEN 1 AND 2 AND b = 3")).isEqualTo(where("(a BETWEEN 1 AND 2) AND (b = 3)"));
    }

    @Test
    void expressionsAreEqualWhereverTheyStand() {
        assertThat(expr("a + UPPER(B)")).isEqualTo(expr("  A  +\n upper(b)"));
        assertThat(expr("a + 1")).isNotEqualTo(expr("a + 2"));
    }

    private static Expr expr(String text) {
        Statement.Select select =
                (Statement.Select) Parser.parse("SELECT " + text).getFirst();
        return ((Query.Item.Value) select.query().first().items().getFirst()).expr();
    }

    private static Expr where(String text) {
        Statement.Select select =
                (Statement.Select) Parser.parse("SELECT 1 WHERE " + text).getFirst();
        return select.query().first().where();
    }
}

package dev.comporta.tds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.sql.word.Keyword;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts after which a connection may change hands without a reset, and texts after which it may not. */
class HarmlessTest {
    private static final String NOTHING = """
            -- only a comment
            ;;
            SELECT 1
            (SELECT 1) UNION (SELECT 2)
            SELECT a, COUNT(*) FROM dbo.t AS t WITH (NOLOCK) WHERE b IN (SELECT c FROM u) GROUP BY a HAVING COUNT(*) > 1
            SELECT TOP (5) a FROM t ORDER BY a
            SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY
            SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c) FROM t CROSS APPLY STRING_SPLIT(t.x, ',') s
            SELECT CAST(a AS decimal(9, 2)), ISNULL(b, 'x'), CONVERT(varchar(10), c, 112), GETDATE() FROM t
            SELECT a FROM t FOR XML PATH('x'), ROOT('y')
            SELECT a FROM t OPTION (RECOMPILE, USE HINT('x'))
            SELECT * FROM #t
            SELECT @@TRANCOUNT
            SELECT @v = a FROM t
            SELECT {ts '2020-01-01 00:00:00'}
            WITH c AS (SELECT 1 AS x) SELECT * FROM c
            DECLARE @a int = 1, @b nvarchar(10), @c TABLE (d int PRIMARY KEY)
            DECLARE @a int; SET @a = (SELECT MAX(a) FROM t); PRINT @a
            WAITFOR DELAY '00:00:01' WAITFOR TIME '10:00'
            USE master
            USE [my db]; SELECT 1
            IF EXISTS (SELECT 1 FROM t) SELECT 1 ELSE SELECT 2
            WHILE @i < 5 BEGIN SET @i = @i + 1; IF @i = 3 BREAK ELSE CONTINUE END
            BEGIN SELECT 1 RETURN END
            SET NOCOUNT ON
            SET NOCOUNT ON SET LOCK_TIMEOUT 5000; SET TRANSACTION ISOLATION LEVEL SNAPSHOT SELECT 1
            SET LANGUAGE us_english; SET DATEFIRST 7
            """;

    private static final String PERHAPS = """
            INSERT t VALUES (1)
            UPDATE t SET a = 1
            DELETE t
            MERGE t USING s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (a) VALUES (1);
            WITH c AS (SELECT 1 AS x) DELETE FROM c
            TRUNCATE TABLE t
            SELECT 1 INSERT t VALUES (1)
            SELECT a INTO t FROM u
            SELECT a INTO #t FROM u
            SELECT * FROM (DELETE t OUTPUT deleted.a) x
            SELECT dbo.f(1)
            SELECT [dbo].[f](1)
            SELECT * FROM f(1)
            SELECT dbo.len('x')
            SELECT dbo.kind::parse('x')
            SELECT sys.set_config('a', 'b', 'false')
            SELECT set_config('a', 'b', 'false')
            SELECT @x.modify('delete /a')
            SELECT RAND(5)
            SELECT NEXT VALUE FOR s
            SELECT next FROM t
            SELECT * FROM OPENQUERY(srv, 'DELETE t')
            SELECT * FROM OPENROWSET('a', 'b', 'c')
            SELECT * FROM OPENDATASOURCE('a', 'b').d.dbo.t
            SELECT * FROM OPENXML(@h, '/a')
            SELECT DECRYPTBYKEYAUTOCERT(1, NULL, a) FROM t
            EXEC p
            p
            EXEC ('SELECT 1')
            EXEC sp_executesql N'SELECT 1'
            {call p}
            SELECT 1 EXEC p
            IF 1 = 1 EXEC p
            BEGIN TRAN
            COMMIT
            ROLLBACK
            SAVE TRAN x
            IF @@TRANCOUNT > 0 COMMIT
            BEGIN SELECT 1 COMMIT END
            BEGIN TRY SELECT 1 END TRY BEGIN CATCH SELECT 2 END CATCH
            BEGIN DIALOG CONVERSATION @h FROM SERVICE a TO SERVICE 'b'
            END CONVERSATION @h
            WAITFOR (RECEIVE * FROM q), TIMEOUT 500
            RECEIVE * FROM q
            DECLARE c CURSOR LOCAL FOR SELECT 1
            DECLARE @c CURSOR
            SET @c = CURSOR FOR SELECT 1
            OPEN c
            FETCH NEXT FROM c
            CLOSE c
            DEALLOCATE c
            CREATE TABLE t (a int)
            CREATE TABLE #t (a int) DROP TABLE #t
            DROP TABLE t
            ALTER TABLE t ADD b int
            CREATE PROC p AS SELECT 1
            DBCC USEROPTIONS
            DBCC TRACEON (1222)
            SET IMPLICIT_TRANSACTIONS OFF
            SET ANSI_DEFAULTS ON
            SET CONTEXT_INFO 0x1
            SET ROWCOUNT @n
            IF 1 = 1 SET NOCOUNT ON
            SET NOEXEC ON
            SET SHOWPLAN_XML ON
            SET STATISTICS IO OFF
            SET IDENTITY_INSERT t OFF
            EXECUTE AS USER = 'x'
            REVERT
            SETUSER
            RAISERROR ('x', 10, 1)
            THROW
            GOTO x
            x: SELECT 1
            KILL 53
            CHECKPOINT
            GRANT SELECT ON t TO u
            UPDATE STATISTICS t
            INSERT BULK t (a int)
            BULK INSERT t FROM 'f'
            WRITETEXT t.a @p 'x'
            LINENO 5
            SHUTDOWN
            SELECT 1 THROW
            SELECT 'abc
            SELECT (1
            SELECT 1; frobnicate
            """;

    static Stream<String> nothing() {
        return NOTHING.lines();
    }

    static Stream<String> perhaps() {
        return PERHAPS.lines();
    }

    @ParameterizedTest
    @MethodSource("nothing")
    void leavesNothing(String text) {
        assertThat(SqlTexts.scan(text).leavesNothing()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("perhaps")
    void mayLeaveSomething(String text) {
        assertThat(SqlTexts.scan(text).leavesNothing()).isFalse();
    }

    @Test
    void anEmptyTextLeavesNothing() {
        assertThat(SqlTexts.scan("").leavesNothing()).isTrue();
        assertThat(SqlTexts.scan("", Scope.INNER).leavesNothing()).isTrue();
    }

    @Test
    void innerTextsMustNotSetAnything() {
        assertThat(SqlTexts.scan("SELECT a FROM t WHERE b = @P0", Scope.INNER).leavesNothing())
                .isTrue();
        assertThat(SqlTexts.scan("SET NOCOUNT ON; SELECT 1", Scope.INNER).leavesNothing())
                .isFalse();
        assertThat(SqlTexts.scan("SET IMPLICIT_TRANSACTIONS ON; SELECT a FROM t", Scope.INNER)
                        .leavesNothing())
                .isFalse();
        assertThat(SqlTexts.scan("USE d; SELECT 1", Scope.INNER).leavesNothing())
                .isFalse();
    }

    /** A statement that is added to the scanner is not harmless until it is listed here. */
    @ParameterizedTest
    @EnumSource(Keyword.class)
    void onlyNamedStatementsAreHarmless(Keyword keyword) {
        switch (keyword) {
            case SELECT, WITH, DECLARE, SET, PRINT, WAITFOR, USE, BEGIN, IF, WHILE, BREAK, CONTINUE, RETURN -> {}
            default ->
                assertThat(SqlTexts.scan(keyword.name() + " x").leavesNothing()).isFalse();
        }
    }
}

package dev.comporta.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainSqlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "  select * from t where name = 'begin transaction; commit' and x = ?",
                "INSERT INTO t VALUES (?, ?) -- begin",
                "/* start transaction */ UPDATE t SET a = 1, b = 2 WHERE c = 3;",
                "DELETE FROM \"begin\" WHERE [tran] = 1 ; ",
                "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
                "SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t",
                "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = 1",
                "MERGE INTO t USING s ON a = b WHEN MATCHED AND c THEN UPDATE SET d = 1 WHEN MATCHED THEN UPDATE SET d = 2",
                "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2",
                "INSERT t SET a = 1",
                "INSERT INTO t SET a = 1 ON DUPLICATE KEY UPDATE a = 2",
                "REPLACE INTO t SET a = 1",
                "WITH x AS (SELECT 1) UPDATE t SET a = 2",
                "INSERT IGNORE INTO t VALUES (1)",
                "SELECT @@IDENTITY",
                "SELECT a[1], ARRAY[1, 2] FROM t",
                "SELECT a FROM t WHERE b @> ARRAY['x', 'y'] AND c @@ to_tsquery('d') AND @ e < 3",
                "SELECT 1 -- one",
                "SELECT 1 --",
            })
    void oneQueryOrChangeOfRowsLeavesNothing(String sql) {
        assertThat(PlainSql.of(sql)).isEqualTo(PlainSql.LEAVES_NOTHING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN",
                "begin tran",
                "/* x */ START TRANSACTION",
                "COMMIT",
                "rollback to savepoint a",
                "END",
                "INSERT INTO t VALUES (1) BEGIN TRAN",
                "SELECT 1; BEGIN; SELECT 2",
                "SET IMPLICIT_TRANSACTIONS ON",
                "SET autocommit = 0",
                "SAVEPOINT a",
                "XA START 'x'",
            })
    void whatNamesATransactionMayHaveBegunOne(String sql) {
        assertThat(PlainSql.of(sql)).isEqualTo(PlainSql.TRANSACTION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-- nothing",
                "SET search_path = x",
                "CALL p()",
                "{call p(?)}",
                "EXEC p",
                "CREATE TEMPORARY TABLE x (a INT)",
                "SELECT 1; SELECT 2",
                "SELECT 1; 'x'",
                "SELECT 1 SET LOCK_TIMEOUT 5",
                "INSERT INTO t EXEC p",
                "SELECT 'it\\'s', '; SET x = 1'",
                "SELECT $$ text",
                "SELECT /*! SQL_NO_CACHE */ 1",
                "SELECT /* a /* b */ */ 1",
                "SELECT 'never closed",
                "DISCARD ALL",
                "USE other",
                "DO $$ $$",
                "SELECT 1 AS a INTO TEMP t",
                "WITH x AS (SELECT 1) SELECT * INTO TEMPORARY t FROM x",
                "SELECT 1 INTO @x",
                "SELECT @x := 5",
                "UPDATE t SET a = (@x := a)",
                "SELECT pg_advisory_lock(1)",
                "SELECT pg_try_advisory_lock_shared(1)",
                "SELECT set_config('a.b', 'c', false)",
                "SELECT GET_LOCK('a', 1)",
                "INSERT INTO t VALUES (1) SET ROWCOUNT 1",
                "UPDATE t SET a = 1 SET CONTEXT_INFO 0x1",
                "DELETE FROM t SET LOCK_TIMEOUT 5",
                "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE SET ROWCOUNT 1",
                "SELECT 1--1; SET x = 1",
                "SELECT ARRAY[']'], ']; SET x = 1'",
                "SELECT 1 DBCC TRACEON(1)",
                "SELECT 1 SETUSER 'x'",
            })
    void whatElseATextLeavesIsNotKnown(String sql) {
        assertThat(PlainSql.of(sql)).isEqualTo(PlainSql.UNKNOWN);
    }
}

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
            })
    void whatElseATextLeavesIsNotKnown(String sql) {
        assertThat(PlainSql.of(sql)).isEqualTo(PlainSql.UNKNOWN);
    }
}

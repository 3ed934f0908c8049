package dev.comporta.tds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SqlFindingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SET NOCOUNT ON                                | NOCOUNT=ON",
                "set nocount off                               | NOCOUNT=OFF",
                "SET ANSI_NULLS, QUOTED_IDENTIFIER OFF         | ANSI_NULLS=OFF QUOTED_IDENTIFIER=OFF",
                "SET LOCK_TIMEOUT -1                           | LOCK_TIMEOUT=-1",
                "SET DEADLOCK_PRIORITY High                    | DEADLOCK_PRIORITY=High",
                "SET DATEFORMAT 'dmy' SET DATEFIRST 7          | DATEFORMAT=dmy DATEFIRST=7",
                "SET LANGUAGE [us_english]                     | LANGUAGE=us_english",
                "SET LANGUAGE N'l''x'                          | LANGUAGE=l'x",
                "SET TRANSACTION ISOLATION LEVEL read uncommitted | TRANSACTION_ISOLATION_LEVEL=READ UNCOMMITTED",
                "SET TRAN ISOLATION LEVEL READ/**/COMMITTED    | TRANSACTION_ISOLATION_LEVEL=READ COMMITTED",
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ | TRANSACTION_ISOLATION_LEVEL=REPEATABLE READ",
                "SET TRANSACTION ISOLATION LEVEL SNAPSHOT      | TRANSACTION_ISOLATION_LEVEL=SNAPSHOT",
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE  | TRANSACTION_ISOLATION_LEVEL=SERIALIZABLE",
                "SET IDENTITY_INSERT db..[t x] ON              | IDENTITY_INSERT(db..t x)=ON",
                "SET STATISTICS IO, TIME ON                    | STATISTICS_IO=ON STATISTICS_TIME=ON",
                "SET ROWCOUNT @n                               | ROWCOUNT=variable @n",
                "IF 1 = 1 SET ROWCOUNT 5; SET ROWCOUNT 0       | ROWCOUNT?=5 ROWCOUNT=0",
                "SET CONTEXT_INFO 0x0aFF                       | CONTEXT_INFO=0x0aFF",
                "SET QUERY_GOVERNOR_COST_LIMIT 1.5             | QUERY_GOVERNOR_COST_LIMIT=1.5"
            })
    void setOptionsAreListedWithTheirValues(String text, String sets) {
        assertThat(SqlTexts.sets(SqlTexts.scan(text))).isEqualTo(sets);
    }

    @ParameterizedTest
    @EnumSource(SetOption.class)
    void everyOptionReadsBackAsItIsReplayed(SetOption option) {
        String value = switch (option.form()) {
            case SWITCH -> "ON";
            case NUMBER -> "7";
            case NUMBER_OR_WORD -> "LOW";
            case NAME -> "it's";
            case LEVEL -> "REPEATABLE READ";
            case TABLE_SWITCH, WORDS_SWITCH -> "";
        };
        if (value.isEmpty() || option == SetOption.FIPS_FLAGGER) {
            assertThat(option.isReplayable()).isFalse();
            return;
        }
        SqlFindings found = SqlTexts.scan(option.toSql(value));
        assertThat(SqlTexts.sets(found)).isEqualTo(option + "=" + value);
        assertThat(found.understood()).isTrue();
    }

    @Test
    void namesAreReplayedAsTheClientWroteThem() {
        assertThat(SetOption.LANGUAGE.canonical("us_English")).isEqualTo("us_English");
        assertThat(SetOption.NOCOUNT.canonical("on")).isEqualTo("ON");
        assertThat(SetOption.DEADLOCK_PRIORITY.canonical("low")).isEqualTo("LOW");
        assertThat(SetOption.LANGUAGE.toSql("us_English")).isEqualTo("SET LANGUAGE 'us_English'");
        assertThat(SetOption.LANGUAGE.toSql("Português")).isEqualTo("SET LANGUAGE N'Português'");
        assertThat(SetOption.DATEFORMAT.toSql("dmy")).isEqualTo("SET DATEFORMAT 'dmy'");
    }

    @Test
    void whatChangesOtherOptionsIsNotUndoneByBeingSetAgain() {
        assertThat(SqlTexts.scan("IF @x = 1 SET LANGUAGE German; SET LANGUAGE us_english")
                        .has(Finding.SETS_OPTION_PERHAPS))
                .isTrue();
        assertThat(SqlTexts.scan("SET ANSI_NULL_DFLT_ON, ANSI_NULL_DFLT_OFF ON").has(Finding.SETS_OPTION_PERHAPS))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "EXEC p,p",
        "EXEC srv.[my db].dbo.\"p\",srv.my db.dbo.p",
        "EXEC db..p,db..p",
        "EXEC @rc = p 1; sp_x,p sp_x",
        "p,p",
        "'EXEC [a]]b]',a]b",
    })
    void proceduresAreListedByName(String text, String names) {
        assertThat(SqlTexts.procedures(SqlTexts.scan(text))).isEqualTo(names);
    }

    @Test
    void proceduresAreComparedByTheirLastPart() {
        SqlFindings found = SqlTexts.scan("EXEC master..XP_CmdShell 'x' EXEC p");
        assertThat(found.procedureIs(0, "xp_cmdshell")).isTrue();
        assertThat(found.procedureIs(0, "cmdshell")).isFalse();
        assertThat(found.procedureIs(0, "master..xp_cmdshell.x")).isFalse();
        assertThat(found.procedureIs(1, "p")).isTrue();
        assertThat(found.procedureIs(1, "xp")).isFalse();
    }

    @Test
    void lastDatabaseWins() {
        assertThat(SqlTexts.scan("USE a; USE [b c]").database()).isEqualTo("b c");
        assertThat(SqlTexts.scan("SELECT 1").database()).isEmpty();
    }

    @Test
    void whatInnerTextSetsEndsWithItButIsTold() {
        String text = "SET NOCOUNT ON; SET ROWCOUNT @n; USE d; CREATE TABLE #t (a int); SELECT 1 AS a INTO #u";
        assertThat(SqlTexts.findings(SqlTexts.scan(text, Scope.INNER)))
                .containsExactly(Finding.SETS_OPTION_INSIDE, Finding.CREATES_TEMPORARY_INSIDE, Finding.USES_TEMPORARY);
    }

    @Test
    void whatInnerTextMakesAndDropsIsNotTold() {
        String text = "CREATE TABLE #t (a int); SELECT 1 AS a INTO #u; DROP TABLE #t, #u";
        assertThat(SqlTexts.findings(SqlTexts.scan(text, Scope.INNER))).containsExactly(Finding.USES_TEMPORARY);
        String undone = "CREATE TABLE #t (a int); BEGIN TRAN; DROP TABLE #t; ROLLBACK";
        assertThat(SqlTexts.findings(SqlTexts.scan(undone, Scope.INNER))).contains(Finding.CREATES_TEMPORARY_INSIDE);
    }

    @Test
    void identityInsertThatIsTurnedOnIsToldWhateverFollows() {
        Finding finding = Finding.SETS_IDENTITY_INSERT;
        assertThat(SqlTexts.scan("SET IDENTITY_INSERT t ON").has(finding)).isTrue();
        assertThat(SqlTexts.scan("SET IDENTITY_INSERT t ON; SET IDENTITY_INSERT t OFF")
                        .has(finding))
                .isTrue();
        assertThat(SqlTexts.scan("SET IDENTITY_INSERT t ON", Scope.INNER).has(finding))
                .isTrue();
        assertThat(SqlTexts.scan("EXEC ('SET IDENTITY_INSERT t ON')").has(finding))
                .isTrue();
        assertThat(SqlTexts.scan("SET IDENTITY_INSERT t OFF").has(finding)).isFalse();
    }

    @Test
    void whatOutlivesInnerTextIsFoundThere() {
        String text = "SET CONTEXT_INFO 0x1; CREATE TABLE ##g (a int); DECLARE c CURSOR FOR SELECT 1; BEGIN TRAN";
        assertThat(SqlTexts.findings(SqlTexts.scan(text, Scope.INNER)))
                .containsExactly(
                        Finding.BEGINS_TRANSACTION,
                        Finding.SETS_OPTION_INSIDE,
                        Finding.CREATES_TEMPORARY,
                        Finding.USES_TEMPORARY,
                        Finding.LEAVES_CURSOR,
                        Finding.USES_CURSOR,
                        Finding.SETS_CONTEXT_INFO);
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT 1,true",
        "IF EXISTS (SELECT 1) PRINT 'x',true",
        "SET @x = (SELECT 1),true",
        "GRANT SELECT ON t TO u,true",
        "FETCH NEXT FROM c,true",
        "TRUNCATE TABLE t,true",
        "PRINT 'SELECT',false",
        "DECLARE @x int = 1,false",
        "SET NOCOUNT ON,false",
        "COMMIT,false",
    })
    void statementsThatOpenImplicitTransactions(String text, boolean opens) {
        assertThat(SqlTexts.scan(text).has(Finding.OPENS_IMPLICIT_TRANSACTION)).isEqualTo(opens);
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT 1,false",
        "BEGIN TRAN UPDATE t SET a = 1 COMMIT,false",
        "USE d,false",
        "SET NOCOUNT ON,true",
        "CREATE TABLE #t (a int) DROP TABLE #t,true",
        "DECLARE c CURSOR FOR SELECT 1 DEALLOCATE c,true",
        "SET SOMETHING ON,true",
    })
    void whatATextUndoesCountsIfItDidNotRunToItsEnd(String text, boolean pins) {
        assertThat(SqlTexts.scan(text).pinsIfCutShort()).isEqualTo(pins);
    }

    @Test
    void doubtsTellWhere() {
        SqlFindings found = SqlTexts.scan("SELECT 1; GO");
        assertThat(found.doubt()).isEqualTo(Doubt.UNKNOWN_STATEMENT);
        assertThat(found.doubtPosition()).isEqualTo(11);
        assertThat(found.hasAny(Finding.Effect.PIN)).isTrue();
    }

    @Test
    void moreThanIsKeptIsNotUnderstood() {
        assertThat(SqlTexts.scan("SET NOCOUNT ON ".repeat(SqlFindings.MOST_SETS))
                        .understood())
                .isTrue();
        assertThat(SqlTexts.scan("SET NOCOUNT ON ".repeat(SqlFindings.MOST_SETS + 1))
                        .doubt())
                .isEqualTo(Doubt.TOO_MANY);
        assertThat(SqlTexts.scan("BEGIN ".repeat(65) + "SELECT 1" + " END".repeat(65))
                        .doubt())
                .isEqualTo(Doubt.TOO_MANY);
        assertThat(SqlTexts.scan("USE " + "d".repeat(129)).doubt()).isEqualTo(Doubt.TOO_LONG);
    }

    @Test
    void moreProceduresThanAreListedAreTold() {
        SqlFindings same = SqlTexts.scan("EXEC p ".repeat(1000));
        assertThat(same.understood()).isTrue();
        assertThat(same.procedureCount()).isEqualTo(1);
        assertThat(same.hasUnlistedProcedures()).isFalse();

        StringBuilder calls = new StringBuilder();
        for (int i = 0; i < SqlFindings.MOST_PROCEDURES; i++) {
            calls.append("EXEC p").append(i).append(' ');
        }
        assertThat(SqlTexts.scan(calls.toString()).hasUnlistedProcedures()).isFalse();
        SqlFindings more = SqlTexts.scan(calls + "EXEC q EXEC sp_set_session_context 'a', 1");
        assertThat(more.understood()).isTrue();
        assertThat(more.hasUnlistedProcedures()).isTrue();
        assertThat(more.has(Finding.SETS_SESSION_CONTEXT)).isTrue();
        assertThat(SqlTexts.scan("EXEC @p").hasUnlistedProcedures()).isTrue();
        assertThat(SqlTexts.scan("EXEC (@sql)").hasUnlistedProcedures()).isTrue();
        assertThat(SqlTexts.scan("EXEC ('EXEC p ' + @x)").hasUnlistedProcedures())
                .isTrue();
        assertThat(SqlTexts.scan("EXEC ('EXEC p')").hasUnlistedProcedures()).isFalse();
        assertThat(SqlTexts.scan("EXEC sp_executesql @sql").hasUnlistedProcedures())
                .isTrue();
        assertThat(SqlTexts.scan("EXEC sp_executesql N'SELECT 1', N''").hasUnlistedProcedures())
                .isFalse();
        assertThat(SqlTexts.scan("EXEC " + "p".repeat(129)).hasUnlistedProcedures())
                .isTrue();
    }

    @Test
    void proceduresOfConstantTextsAreListed() {
        assertThat(SqlTexts.procedures(SqlTexts.scan("EXEC a EXEC ('EXEC b EXEC a') EXEC sp_executesql N'EXEC c.d'")))
                .isEqualTo("a b sp_executesql c.d");
    }

    @Test
    void textsInTextsAreReadToABoundedDepth() {
        assertThat(nested(3).understood()).isTrue();
        assertThat(nested(3).has(Finding.BEGINS_TRANSACTION)).isTrue();
        assertThat(nested(4).doubt()).isEqualTo(Doubt.TOO_MANY);
    }

    private static SqlFindings nested(int depth) {
        String text = "BEGIN TRAN";
        for (int i = 0; i < depth; i++) {
            text = "EXEC ('" + text.replace("'", "''") + "')";
        }
        return SqlTexts.scan(text);
    }

    @Test
    void aTextThatOnlyBeginsATransactionIsToldFromOthers() {
        for (String text : List.of("BEGIN TRAN", "begin transaction t1", "/* 1 */ BEGIN TRAN;")) {
            assertThat(SqlTexts.scan(text).onlyBeginsTransaction()).as(text).isTrue();
        }
        for (String text : List.of(
                "SELECT 1",
                "IF @@TRANCOUNT = 0 BEGIN TRAN",
                "BEGIN TRAN; COMMIT",
                "BEGIN TRAN; INSERT t VALUES (1)",
                "BEGIN TRAN EXEC p",
                "EXEC ('BEGIN TRAN')",
                "RETURN; BEGIN TRAN",
                "BEGIN TRY BEGIN TRAN END TRY BEGIN CATCH END CATCH",
                "WHILE 1 = 0 BEGIN TRAN",
                "BEGIN TRAN; frobnicate the, lot")) {
            assertThat(SqlTexts.scan(text).onlyBeginsTransaction()).as(text).isFalse();
        }
    }

    @Test
    void effectsOfFindingsAreAskedWithOneMask() {
        Map<String, Finding.Effect> texts = Map.of(
                "SELECT 1", Finding.Effect.NONE,
                "BEGIN TRAN", Finding.Effect.TRANSACTION,
                "EXEC p", Finding.Effect.OPAQUE,
                "CREATE TABLE #t (a int)", Finding.Effect.PIN,
                "INSERT BULK t (a int)", Finding.Effect.NEXT_REQUEST,
                "SELECT @@IDENTITY", Finding.Effect.PREVIOUS_REQUEST);
        assertThat(texts).containsValues(Finding.Effect.values());
        texts.forEach((text, effect) -> {
            SqlFindings found = SqlTexts.scan(text);
            assertThat(EnumSet.range(Finding.Effect.TRANSACTION, Finding.Effect.PREVIOUS_REQUEST).stream()
                            .filter(found::hasAny))
                    .as(text)
                    .containsExactlyElementsOf(effect == Finding.Effect.NONE ? List.of() : List.of(effect));
        });
    }

    @Test
    void anEarlierTextLeavesNothingBehind() {
        SqlScanner scanner = new SqlScanner();
        String dirty = "EXEC p; IF 1 = 1 BEGIN CASE ((( USE d; SET ROWCOUNT @n; DECLARE c CURSOR FOR SELECT '";
        String clean = "INSERT t VALUES (1)";
        var bytes = SqlTexts.utf16(dirty);
        scanner.scan(bytes, 0, bytes.readableBytes() - 1, Scope.INNER);
        bytes = SqlTexts.utf16(clean);
        assertThat(SqlTexts.describe(scanner.scan(bytes, 0, bytes.readableBytes(), Scope.BATCH)))
                .isEqualTo(SqlTexts.describe(SqlTexts.scan(clean)));
    }
}

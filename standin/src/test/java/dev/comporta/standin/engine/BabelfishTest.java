package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.engine.EngineSession.IsolationLevel;
import dev.comporta.standin.engine.EngineSession.TransactionRequest;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The habits of Babelfish 4.3, each as it was seen there. */
class BabelfishTest extends EngineFixture {
    private static final TransactionRequest BEGIN = new TransactionRequest.Begin(IsolationLevel.UNCHANGED, "");
    private static final TransactionRequest COMMIT = new TransactionRequest.Commit("", null);
    private static final TransactionRequest ROLLBACK = new TransactionRequest.Rollback("", null);

    BabelfishTest() {
        super(ServerHabits.BABELFISH);
    }

    private List<String> transaction(TransactionRequest request) {
        Recording recording = new Recording();
        session.transaction(request, recording);
        return recording.events();
    }

    private void reset() {
        session.reset(false, new Recording());
    }

    @Test
    void transactionsOfBatchesAreNotTold() {
        assertThat(events("BEGIN TRAN")).containsExactly("done");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("1");
        assertThat(events("COMMIT")).containsExactly("done");
        assertThat(events("BEGIN TRAN; ROLLBACK")).containsExactly("done");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("0");
    }

    @Test
    void errorUnderXactAbortIsToldAsARollback() {
        assertThat(events("SET XACT_ABORT ON; BEGIN TRAN; SELECT 1 / 0")).contains("rolled back");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("0");
    }

    @Test
    void isolationLevelOfATransactionThatHasReadCanNotBeChanged() {
        events("BEGIN TRAN");
        assertThat(events("SET TRANSACTION ISOLATION LEVEL SNAPSHOT")).containsExactly("done");
        events("SELECT @@TRANCOUNT");
        assertThat(events("SET TRANSACTION ISOLATION LEVEL SNAPSHOT")).containsExactly("done");
        assertThat(events("SET TRANSACTION ISOLATION LEVEL READ COMMITTED"))
                .anyMatch(e -> e.startsWith("error 33557097"))
                .contains("rolled back");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("0");
    }

    @Test
    void commitOfAnInnerTransactionIsToldAsACommit() {
        assertThat(transaction(BEGIN)).containsExactly("done", "began", "done");
        assertThat(transaction(BEGIN)).containsExactly("done", "began", "done");
        assertThat(transaction(COMMIT)).containsExactly("done", "committed", "done");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("1");
        assertThat(transaction(ROLLBACK)).containsExactly("done", "rolled back", "done");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("0");
    }

    @Test
    void endOfNoTransactionIsAnErrorAndToldNevertheless() {
        assertThat(transaction(COMMIT))
                .anyMatch(e -> e.startsWith("error 3902"))
                .contains("committed");
        assertThat(transaction(ROLLBACK))
                .anyMatch(e -> e.startsWith("error 3903"))
                .contains("rolled back");
    }

    @Test
    void returnToASavepointIsToldAsARollbackUnlessSomethingWasWritten() {
        run("CREATE TABLE t (id int)");
        transaction(BEGIN);
        transaction(new TransactionRequest.Save("s"));
        assertThat(transaction(new TransactionRequest.Rollback("s", null))).contains("rolled back");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("1");
        run("INSERT t VALUES (1)");
        assertThat(transaction(new TransactionRequest.Rollback("s", null))).doesNotContain("rolled back");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("1");
        transaction(ROLLBACK);
    }

    @Test
    void messagesUpToSeverityTenHaveNeitherNumberNorState() {
        Recording low = run("RAISERROR(N'x', 10, 77)");
        assertThat(low.events()).contains("info 0 x").noneMatch(e -> e.contains("50000"));
        assertThat(low.states()).containsExactly(1);
        Recording high = run("RAISERROR(N'x', 16, 77)");
        assertThat(high.errors().getFirst()).startsWith("error 50000");
        assertThat(high.states()).containsExactly(77);
    }

    @Test
    void changeOfTheDatabaseIsToldWithoutItsNumber() {
        assertThat(events("USE stock")).anyMatch(e -> e.startsWith("info 0 Changed database context"));
    }

    @Test
    void nationalStringsInSetAreSyntaxErrorsOfTheWholeBatch() {
        run("CREATE TABLE t (id int)");
        assertThat(errors("INSERT t VALUES (1); SET LANGUAGE N'us_english'").getFirst())
                .startsWith("error 102");
        assertThat(errors("SET DATEFORMAT N'dmy'").getFirst()).startsWith("error 102");
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("0");
        assertThat(errors(
                        "SET LANGUAGE us_english; SET LANGUAGE 'us_english'; SET DATEFORMAT 'dmy'; SET DATEFORMAT dmy"))
                .isEmpty();
    }

    @Test
    void thereIsOneLanguageAndItLeavesTheDatesAlone() {
        assertThat(events("SET DATEFIRST 3; SET LANGUAGE Deutsch")).contains("language us_english to us_english");
        assertThat(value("SELECT @@LANGUAGE, @@DATEFIRST")).isEqualTo("us_english|3");
    }

    @Test
    void resetUndoesTheWorkAndLeavesTheCount() {
        run("CREATE TABLE t (id int)");
        run("BEGIN TRAN; INSERT t VALUES (1)");
        reset();
        assertThat(value("SELECT @@TRANCOUNT, (SELECT COUNT(*) FROM t)")).isEqualTo("1|0");
        assertThat(errors("COMMIT").getFirst()).startsWith("error 3902");
        assertThat(errors("IF @@TRANCOUNT > 0 ROLLBACK").getFirst()).startsWith("error 3903");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("1");
        // What follows runs outside of any transaction.
        run("INSERT t VALUES (2)");
        EngineSession other = login();
        assertThat(rows(other, "SELECT id FROM t")).containsExactly("2");
        // The next begin is a transaction, one deeper than it looks.
        run("BEGIN TRAN; INSERT t VALUES (3)");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("2");
        assertThat(errors("ROLLBACK")).isEmpty();
        assertThat(value("SELECT @@TRANCOUNT, (SELECT COUNT(*) FROM t)")).isEqualTo("0|1");
    }

    @Test
    void resetLeavesDatabaseAndContextAsTheyAre() {
        run("USE stock; SET CONTEXT_INFO 0x01; EXEC sp_set_session_context N'tenant', 42; SET DATEFIRST 3");
        run("CREATE TABLE #t (id int)");
        reset();
        assertThat(value("SELECT DB_NAME(), SUBSTRING(CONTEXT_INFO(), 1, 1), SESSION_CONTEXT(N'tenant'), @@DATEFIRST"))
                .isEqualTo("stock|0x01|42|7");
        assertThat(errors("SELECT * FROM #t")).hasSize(1);
    }

    @Test
    void sessionContextWithoutAKeyTellsWhetherOneWasEverSet() {
        String probe = "SELECT CASE WHEN @@TRANCOUNT > 0 THEN @@TRANCOUNT"
                + " WHEN CONTEXT_INFO() IS NULL AND SESSION_CONTEXT(NULL) IS NULL THEN 0 ELSE -1 END";
        assertThat(value(probe)).isEqualTo("0");
        run("EXEC sp_set_session_context N'tenant', 42; EXEC sp_set_session_context N'tenant', NULL");
        reset();
        assertThat(value("SELECT SESSION_CONTEXT(N'tenant')")).isEqualTo("NULL");
        assertThat(errors(probe).getFirst()).startsWith("error 33557097");
        run("BEGIN TRAN");
        assertThat(value(probe)).isEqualTo("1");
        assertThat(errors("SELECT SESSION_CONTEXT(NULL)").getFirst()).startsWith("error 33557097");
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("0");
    }

    @Test
    void contextInfoIsNullUntilItIsSet() {
        assertThat(value("SELECT CONTEXT_INFO()")).isEqualTo("NULL");
        run("SET CONTEXT_INFO 0x");
        reset();
        assertThat(value("SELECT DATALENGTH(CONTEXT_INFO())")).isEqualTo("128");
    }

    @Test
    void failedBulkLoadIsTheLastOfItsSession() {
        run("CREATE TABLE t (id int PRIMARY KEY)");
        assertThat(load(1, 1)).anyMatch(e -> e.startsWith("error 2627"));
        assertThat(load(2)).anyMatch(e -> e.startsWith("error 33557097"));
        reset();
        assertThat(load(3)).anyMatch(e -> e.startsWith("error 33557097"));
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("0");
        session = login();
        assertThat(load(4)).containsExactly("done 1");
    }

    private List<String> load(int... ids) {
        run("INSERT BULK t (id int)");
        Recording recording = new Recording();
        EngineSession.BulkInsert bulk = session.bulk(recording);
        for (int id : ids) {
            bulk.row(new Object[] {id});
        }
        bulk.end();
        return recording.events();
    }

    @Test
    void saysWhatItIs() {
        assertThat(value("SELECT @@VERSION")).startsWith("Babelfish for PostgreSQL with SQL Server Compatibility");
        assertThat(value("SELECT SERVERPROPERTY('BabelfishVersion'), SERVERPROPERTY('ProductVersion'),"
                        + " SERVERPROPERTY('ProductMajorVersion')"))
                .isEqualTo("4.3.0|12.0.2000.8|12");
    }

    @Test
    void countOfTransactionsIsAnInteger() {
        assertThat(run("SELECT @@TRANCOUNT, @@OPTIONS").columns())
                .extracting(column -> Types.name(column.type()))
                .containsExactly("int", "int");
    }
}

package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.engine.EngineSession.IsolationLevel;
import dev.comporta.standin.engine.EngineSession.TransactionRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When transactions begin and end, and what the client is told of it. */
final class TransactionTest extends EngineFixture {
    @BeforeEach
    void makeTable() {
        run("CREATE TABLE t (id int PRIMARY KEY)");
    }

    @Test
    void onlyTheOutermostBeginAndTheRealEndAreTold() {
        assertThat(events("BEGIN TRAN; BEGIN TRANSACTION; COMMIT; COMMIT TRAN"))
                .containsExactly("began", "committed", "done");
        assertThat(events("BEGIN TRAN BEGIN TRAN ROLLBACK SELECT @@TRANCOUNT"))
                .containsExactly("began", "rolled back", "columns  int not null", "row 0", "done 1");
    }

    @Test
    void trancountNests() {
        assertThat(rows("BEGIN TRAN; BEGIN TRAN; SELECT @@TRANCOUNT; COMMIT; SELECT @@TRANCOUNT, XACT_STATE(); COMMIT;"
                        + " SELECT @@TRANCOUNT, XACT_STATE()"))
                .containsExactly("2", "1|1", "0|0");
    }

    @Test
    void rollbackUndoesAcrossBatches() {
        run("BEGIN TRAN; INSERT t VALUES (1)");
        assertThat(session.inTransaction()).isTrue();
        run("INSERT t VALUES (2); ROLLBACK");
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("0");
    }

    @Test
    void savepointsAndNames() {
        assertThat(rows("BEGIN TRAN outer_one; INSERT t VALUES (1); SAVE TRAN s; INSERT t VALUES (2); ROLLBACK TRAN s;"
                        + " SELECT @@TRANCOUNT, COUNT(*) FROM t; COMMIT; SELECT id FROM t"))
                .containsExactly("1|1", "1");
        assertThat(errors("BEGIN TRAN; ROLLBACK TRAN nosuch").getFirst()).startsWith("error 6401");
        assertThat(events("ROLLBACK")).containsExactly("rolled back", "done");
    }

    @Test
    void endWithoutBeginIsAnError() {
        assertThat(events("COMMIT; SELECT 1"))
                .containsExactly(
                        "error 3902 16 line 1: The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.",
                        "done failed",
                        "columns  int not null",
                        "row 1",
                        "done 1");
        assertThat(errors("ROLLBACK TRAN").getFirst()).startsWith("error 3903 16");
    }

    @Test
    void implicitTransactionsBeginWithTheFirstStatementThatTouchesATable() {
        assertThat(events("SET IMPLICIT_TRANSACTIONS ON; SELECT 1")).doesNotContain("began");
        assertThat(events("INSERT t VALUES (1)")).containsExactly("began", "done 1");
        assertThat(events("IF @@TRANCOUNT > 0 COMMIT TRAN")).containsExactly("committed", "done");
        assertThat(events("SELECT id FROM t"))
                .startsWith("columns id int not null")
                .contains("began");
        assertThat(events("IF @@TRANCOUNT > 0 ROLLBACK TRAN")).containsExactly("rolled back", "done");
        assertThat(rows("BEGIN TRAN; SELECT @@TRANCOUNT; ROLLBACK")).containsExactly("2");
    }

    @Test
    void anImplicitTransactionMayBeginInDynamicSql() {
        events("SET IMPLICIT_TRANSACTIONS ON");
        assertThat(events("EXEC sp_executesql N'INSERT t VALUES (1)'")).contains("began", "status 0");
        assertThat(rows("SELECT @@TRANCOUNT")).containsExactly("1");
    }

    @Test
    void requestsOfTheTransactionManager() {
        assertThat(transaction(new TransactionRequest.Begin(IsolationLevel.SERIALIZABLE, "")))
                .containsExactly("began", "done");
        assertThat(value("SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID"))
                .isEqualTo("4");
        run("INSERT t VALUES (1)");
        assertThat(transaction(new TransactionRequest.Save("s"))).containsExactly("done");
        run("INSERT t VALUES (2)");
        assertThat(transaction(new TransactionRequest.Rollback("s", null))).containsExactly("done");
        assertThat(transaction(
                        new TransactionRequest.Commit("", new TransactionRequest.Begin(IsolationLevel.UNCHANGED, ""))))
                .containsExactly("committed", "began", "done");
        assertThat(rows("SELECT id FROM t")).containsExactly("1");
        assertThat(transaction(new TransactionRequest.Rollback("", null))).containsExactly("rolled back", "done");
        assertThat(transaction(new TransactionRequest.Commit("", null)).getFirst())
                .startsWith("error 3902");
    }

    private List<String> transaction(TransactionRequest request) {
        Recording recording = new Recording();
        session.transaction(request, recording);
        return recording.events();
    }

    @Test
    void withoutXactAbortOnlyTheStatementFails() {
        assertThat(
                        events(
                                "BEGIN TRAN; INSERT t VALUES (1); INSERT t VALUES (1); INSERT t VALUES (2); SELECT @@TRANCOUNT"))
                .containsExactly(
                        "began",
                        "done 1",
                        "error 2627 14 line 1: Violation of PRIMARY KEY constraint '" + primaryKey()
                                + "'. Cannot insert duplicate key in object 'dbo.t'. The duplicate key value is (1).",
                        "info 3621 The statement has been terminated.",
                        "done failed",
                        "done 1",
                        "columns  int not null",
                        "row 1",
                        "done 1");
    }

    private String primaryKey() {
        EngineSession other = login();
        try {
            return rows(other, "SELECT name FROM sys.key_constraints").getFirst();
        } finally {
            other.close();
        }
    }

    @Test
    void xactAbortRollsBackAndEndsTheBatch() {
        List<String> events =
                events("SET XACT_ABORT ON; BEGIN TRAN; INSERT t VALUES (1); INSERT t VALUES (1); SELECT 'not reached'");
        assertThat(events).contains("began", "rolled back").doesNotContain("row not reached");
        assertThat(events.getLast()).isEqualTo("done failed");
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("0");
    }

    @Test
    void conversionErrorsAbortTheBatchAndRollBack() {
        assertThat(events("BEGIN TRAN; SELECT CAST('abc' AS int); SELECT 1"))
                .containsSubsequence(
                        "error 245 16 line 1: Conversion failed when converting the varchar value 'abc' to data type int.",
                        "rolled back")
                .doesNotContain("row 1");
    }

    @Test
    void transactionLeftOpenByDynamicSqlIsError266() {
        assertThat(call("sp_executesql", text("BEGIN TRAN")).events())
                .containsExactly(
                        "began",
                        "error 266 16 line 1: Transaction count after EXECUTE indicates a mismatching number of BEGIN and"
                                + " COMMIT statements. Previous count = 0, current count = 1.",
                        "status 266",
                        "doneproc failed");
        assertThat(session.inTransaction()).isTrue();
    }

    @Test
    void tablesMadeInATransactionGoWithIt() {
        run("BEGIN TRAN; CREATE TABLE made (id int); INSERT made VALUES (1); CREATE INDEX i ON t (id)");
        run("ROLLBACK");
        assertThat(errors("SELECT * FROM made").getFirst()).startsWith("error 208");
        run("BEGIN TRAN; DROP TABLE t");
        assertThat(errors("SELECT * FROM t").getFirst()).startsWith("error 208");
        run("ROLLBACK; INSERT t VALUES (5)");
        assertThat(rows("SELECT id FROM t")).containsExactly("5");
        run("BEGIN TRAN; DROP TABLE t; COMMIT");
        assertThat(value("SELECT COUNT(*) FROM sys.tables")).isEqualTo("0");
    }

    @Test
    void anotherIsolationLevelLeavesTheTransactionOpenAndOutlivesIt() {
        run("SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; INSERT t VALUES (1)");
        assertThat(isolationLevel()).isEqualTo("5");
        assertThat(events("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")).containsExactly("done");
        assertThat(session.inTransaction()).isTrue();
        run("ROLLBACK");
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("0");
        assertThat(isolationLevel()).isEqualTo("2");
    }

    private String isolationLevel() {
        return value("SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID");
    }

    @Test
    void waitsForLocksAsLongAsToldTo() {
        EngineSession other = login();
        run(other, "BEGIN TRAN; INSERT t VALUES (1)");
        run(other, "COMMIT; BEGIN TRAN; UPDATE t SET id = 2");
        long start = System.nanoTime();
        assertThat(errors("SET LOCK_TIMEOUT 50; UPDATE t SET id = 3"))
                .containsExactly("error 1222 16 line 1: Lock request time out period exceeded.");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        run(other, "ROLLBACK");
        assertThat(events("UPDATE t SET id = 3")).containsExactly("done 1");
    }

    @Test
    void closingASessionRollsBackAndIsCounted() {
        EngineSession other = login();
        run(other, "BEGIN TRAN; INSERT t VALUES (1)");
        other.close();
        assertThat(engine.rollbacksAtClose()).isEqualTo(1);
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("0");
    }

    @Test
    void ofTwoDeadlockedTransactionsOneIsChosen() throws Exception {
        EngineSession other = login();
        run("INSERT t VALUES (1), (2)");
        run("BEGIN TRAN; UPDATE t SET id = 10 WHERE id = 1");
        run(other, "BEGIN TRAN; UPDATE t SET id = 20 WHERE id = 2");
        CompletableFuture<List<String>> first = CompletableFuture.supplyAsync(
                () -> run("UPDATE t SET id = 11 WHERE id = 2").events());
        List<String> second = run(other, "UPDATE t SET id = 21 WHERE id = 1").events();
        boolean secondIsVictim = second.getFirst().startsWith("error 1205 13");
        List<String> victim = secondIsVictim ? second : first.get(10, TimeUnit.SECONDS);
        List<String> survivor = secondIsVictim ? first.get(10, TimeUnit.SECONDS) : second;
        assertThat(victim.getFirst()).startsWith("error 1205 13");
        assertThat(victim).contains("rolled back");
        assertThat(survivor).containsExactly("done 1");
    }
}

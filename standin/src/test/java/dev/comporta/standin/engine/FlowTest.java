package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Variables, IF, WHILE, TRY, messages, WAITFOR and cancelling. */
final class FlowTest extends EngineFixture {
    @Test
    void variablesHaveTheirDeclaredTypes() {
        assertThat(events("DECLARE @a int = 5, @b varchar(3), @c datetime; SET @b = 'abcdef'; SELECT @a, @b, @c"))
                .containsExactly("columns  int not null,  varchar(3) not null,  datetime", "row 5|abc|NULL", "done 1");
        assertThat(errors("SELECT @missing"))
                .containsExactly("error 137 15 line 1: Must declare the scalar variable \"@missing\".");
    }

    @Test
    void loopsAndBranches() {
        assertThat(rows("""
            DECLARE @i int = 0, @sum int = 0
            WHILE 1 = 1
            BEGIN
              SET @i += 1
              IF @i % 2 = 0 CONTINUE
              IF @i > 9 BREAK
              SET @sum = @sum + @i
            END
            IF @sum = 25 SELECT 'odd' ELSE SELECT 'wrong'
            """)).containsExactly("odd");
    }

    @Test
    void selectAssigns() {
        run("CREATE TABLE t (id int, name varchar(10)); INSERT t VALUES (1, 'a'), (2, 'b')");
        assertThat(rows("DECLARE @id int, @n varchar(10) = 'none'; SELECT @id = id, @n = name FROM t WHERE id = 2;"
                        + " SELECT @id, @n, @@ROWCOUNT; SELECT @n = name FROM t WHERE id = 3; SELECT @n"))
                .containsExactly("2|b|1", "b");
    }

    @Test
    void aConditionClearsTheError() {
        assertThat(events("RAISERROR('x', 16, 1)\nIF @@ERROR = 50000 SELECT @@ERROR"))
                .contains("row 0");
    }

    @Test
    void messages() {
        assertThat(events("PRINT 'hello'")).containsExactly("info 0 hello", "done");
        assertThat(events("RAISERROR('%s has %d', 16, 3, 'x', 5)\nSELECT @@ERROR"))
                .containsExactly(
                        "error 50000 16 line 1: x has 5",
                        "done failed",
                        "columns  int not null",
                        "row 50000",
                        "done 1");
        assertThat(events("RAISERROR('note', 10, 1)")).containsExactly("info 50000 note", "done");
        assertThat(events("\n\nTHROW 50001, 'thrown', 7; SELECT 1"))
                .containsExactly("error 50001 16 line 3: thrown", "done failed");
    }

    @Test
    void messageWithNowaitIsNotKeptBack() {
        assertThat(events("SELECT 1; RAISERROR('now', 0, 1) WITH NOWAIT; SELECT 2"))
                .containsExactly(
                        "columns  int not null",
                        "row 1",
                        "done 1",
                        "info 50000 now",
                        "flush",
                        "columns  int not null",
                        "row 2",
                        "done 1");
        assertThat(events("RAISERROR('now', 16, 1) WITH LOG, NOWAIT"))
                .containsExactly("error 50000 16 line 1: now", "flush", "done failed");
        assertThat(errors("RAISERROR('now', 0, 1) WITH HASTE"))
                .containsExactly("error 102 15 line 1: Incorrect syntax near 'HASTE'.");
    }

    @Test
    void tryCatches() {
        assertThat(rows("""
            BEGIN TRY
              SELECT 1/0
              SELECT 'not reached'
            END TRY
            BEGIN CATCH
              SELECT ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_LINE()
            END CATCH""")).containsExactly("8134|Divide by zero error encountered.|2");
    }

    @Test
    void syntaxErrorsComeBeforeAnythingRuns() {
        assertThat(events("SELECT 1\nSELEC 2"))
                .containsExactly("error 102 15 line 2: Incorrect syntax near '2'.", "done failed");
        assertThat(events("SELECT * FROM WHERE"))
                .containsExactly("error 156 15 line 1: Incorrect syntax near the keyword 'WHERE'.", "done failed");
    }

    @Test
    void cancelStopsWaitforAtOnce() throws Exception {
        CompletableFuture<Boolean> cancelled = CompletableFuture.supplyAsync(() -> {
            try {
                run("WAITFOR DELAY '00:10:00'");
                return false;
            } catch (RequestCancelled e) {
                return true;
            }
        });
        cancelUntilDone(session, cancelled);
        assertThat(cancelled.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(value("SELECT 1")).isEqualTo("1");
    }

    /** The attention can be read before the thread that is to run the request has come to it. */
    @Test
    void cancelThatCameBeforeTheRequestBeganIsNotLost() {
        assertThatThrownBy(() -> session.batch("WAITFOR DELAY '00:10:00'", Recording.unwanted()))
                .isInstanceOf(RequestCancelled.class);
        assertThat(value("SELECT 1")).isEqualTo("1");
    }

    @Test
    void cancelStopsARunningQueryAndKeepsTheTransaction() throws Exception {
        run("CREATE TABLE n (i int); DECLARE @i int = 0; WHILE @i < 300 BEGIN INSERT n VALUES (@i); SET @i += 1 END");
        run("BEGIN TRAN; INSERT n VALUES (-1)");
        CompletableFuture<Boolean> cancelled = CompletableFuture.supplyAsync(() -> {
            try {
                run("SELECT COUNT_BIG(*) FROM n a, n b, n c, n d, n e WHERE a.i + b.i + c.i + d.i + e.i = 1");
                return false;
            } catch (RequestCancelled e) {
                return true;
            }
        });
        cancelUntilDone(session, cancelled);
        assertThat(cancelled.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(value("SELECT @@TRANCOUNT, (SELECT COUNT(*) FROM n WHERE i = -1)"))
                .isEqualTo("1|1");
    }

    private static void cancelUntilDone(EngineSession session, CompletableFuture<?> request) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    session.cancel();
                    return request.isDone();
                });
    }

    @Test
    void statementsNeedNoSemicolons() {
        assertThat(rows("DECLARE @x int SET @x = 1 SELECT @x SELECT @x + 1 AS y PRINT 'x' SELECT 3 z"))
                .containsExactly("1", "2", "3");
    }

    @Test
    void cursors() {
        run("CREATE TABLE t (id int); INSERT t VALUES (1), (2), (3)");
        assertThat(rows("""
            DECLARE c CURSOR SCROLL FOR SELECT id FROM t ORDER BY id
            DECLARE @id int, @all varchar(20) = ''
            OPEN c
            FETCH NEXT FROM c INTO @id
            WHILE @@FETCH_STATUS = 0
            BEGIN
              SET @all = @all + CAST(@id AS varchar(5))
              FETCH NEXT FROM c INTO @id
            END
            FETCH FIRST FROM c
            FETCH ABSOLUTE -1 FROM c
            CLOSE c
            DEALLOCATE c
            SELECT @all""")).containsExactly("1", "3", "123");
        assertThat(errors("OPEN nosuch"))
                .containsExactly("error 16916 16 line 1: A cursor with the name 'nosuch' does not exist.");
    }
}

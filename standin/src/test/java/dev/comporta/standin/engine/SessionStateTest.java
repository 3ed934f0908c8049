package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.engine.run.SessionRequests;
import dev.comporta.standin.engine.session.Engine;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.session.Login;
import dev.comporta.standin.engine.type.Types;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logins, options, temporary tables, locks, context, and what a reset does to them. */
final class SessionStateTest extends EngineFixture {
    @Test
    void wrongPasswordAndUnknownDatabaseAreRefused() {
        assertThatThrownBy(() -> engine.login(Login.of(60, "app", "wrong", "")))
                .isInstanceOfSatisfying(
                        SqlError.class, e -> assertThat(e.number()).isEqualTo(18456))
                .hasMessage("Login failed for user 'app'.");
        assertThatThrownBy(() -> engine.login(Login.of(60, "nobody", "secret", "")))
                .hasMessage("Login failed for user 'nobody'.");
        assertThatThrownBy(() -> engine.login(Login.of(60, "app", "secret", "nosuch")))
                .isInstanceOfSatisfying(
                        SqlError.class, e -> assertThat(e.number()).isEqualTo(4060))
                .hasMessage("Cannot open database \"nosuch\" requested by the login. The login failed.");
    }

    @Test
    void namesOfTheSession() {
        assertThat(value("SELECT DB_NAME(), SUSER_SNAME(), @@SPID, @@SERVERNAME, USER_NAME(), DB_ID('master')"))
                .isEqualTo("shop|app|50|STANDIN|dbo|1");
        assertThat(
                        value(
                                "SELECT login_name, open_transaction_count FROM sys.dm_exec_sessions WHERE session_id = @@SPID"))
                .isEqualTo("app|0");
    }

    @Test
    void optionsAreSetAndShown() {
        assertThat(value("SELECT @@OPTIONS")).isEqualTo("5432");
        run("SET NOCOUNT, XACT_ABORT ON; SET LOCK_TIMEOUT 1500; SET DATEFIRST 1; SET TEXTSIZE 1000; SET ARITHABORT ON");
        run("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SET DEADLOCK_PRIORITY LOW; SET ROWCOUNT 7");
        assertThat(value("SELECT @@OPTIONS, @@LOCK_TIMEOUT, @@DATEFIRST, @@TEXTSIZE, SESSIONPROPERTY('ARITHABORT')"))
                .isEqualTo("22392|1500|1|1000|1");
        assertThat(run("SET ROWCOUNT 0; DBCC USEROPTIONS").rowLines())
                .contains(
                        "textsize|1000",
                        "datefirst|1",
                        "lock_timeout|1500",
                        "nocount|SET",
                        "xact_abort|SET",
                        "quoted_identifier|SET",
                        "isolation level|serializable");
    }

    @Test
    void languageBringsItsDates() {
        assertThat(events("SET LANGUAGE Deutsch"))
                .containsExactly(
                        "language us_english to Deutsch", "info 5703 Changed language setting to Deutsch.", "done");
        assertThat(value("SELECT @@LANGUAGE, @@DATEFIRST, CONVERT(varchar, CAST('13/02/2024' AS date), 112)"))
                .isEqualTo("Deutsch|1|20240213");
        assertThat(errors("SET LANGUAGE Klingon").getFirst()).startsWith("error 2740");
    }

    @Test
    void theLanguageInForceKeepsTheDatesAsTheyWereSet() {
        run("SET DATEFIRST 3; SET DATEFORMAT dmy; SET LANGUAGE us_english");
        assertThat(value("SELECT @@DATEFIRST, CONVERT(varchar, CAST('13/02/2024' AS date), 112)"))
                .isEqualTo("3|20240213");
        run("SET LANGUAGE Deutsch; SET DATEFIRST 5; SET LANGUAGE German");
        assertThat(value("SELECT @@LANGUAGE, @@DATEFIRST")).isEqualTo("Deutsch|5");
        run("SET LANGUAGE English");
        assertThat(value("SELECT @@LANGUAGE, @@DATEFIRST, CONVERT(varchar, CAST('02/13/2024' AS date), 112)"))
                .isEqualTo("us_english|7|20240213");
    }

    @Test
    void identityOfAClientIsItsLogins() {
        EngineSession named = new SessionRequests(
                engine.login(new Login(77, "app", "secret", "", "HOST7", "app seven", "", "", 4711, true)));
        assertThat(rows(named, "SELECT HOST_NAME(), APP_NAME(), HOST_ID()")).containsExactly("HOST7|app seven|4711");
    }

    @Test
    void rowcountLimitsQueriesAndChanges() {
        run("CREATE TABLE t (id int); INSERT t VALUES (1), (2), (3)");
        assertThat(rows("SET ROWCOUNT 2; SELECT id FROM t")).hasSize(2);
        assertThat(events("DELETE t")).containsExactly("done 2");
        assertThat(rows("SET ROWCOUNT 0; SELECT id FROM t")).hasSize(1);
    }

    @Test
    void temporaryTablesAreTheSessionsOwn() {
        EngineSession other = login();
        run("CREATE TABLE #t (id int); INSERT #t VALUES (1)");
        run(other, "CREATE TABLE #t (name varchar(5)); INSERT #t VALUES ('x')");
        assertThat(rows("SELECT * FROM #t")).containsExactly("1");
        assertThat(rows(other, "SELECT * FROM #t")).containsExactly("x");
        assertThat(engine.temporaryTables()).isEqualTo(2);
        run("SELECT id * 2 AS twice INTO ##all FROM #t");
        assertThat(rows(other, "SELECT twice FROM ##all")).containsExactly("2");
        session.close();
        assertThat(run(other, "SELECT twice FROM ##all").errors().getFirst()).contains("Invalid object name '##all'");
        assertThat(engine.temporaryTables()).isEqualTo(1);
    }

    @Test
    void tableVariables() {
        assertThat(rows("DECLARE @t TABLE (id int IDENTITY, n varchar(5)); INSERT @t (n) VALUES ('a'), ('b');"
                        + " SELECT x.id, x.n FROM @t x ORDER BY id DESC"))
                .containsExactly("2|b", "1|a");
    }

    @Test
    void contextInfoAndSessionContext() {
        run(
                "SET CONTEXT_INFO 0x0102; EXEC sp_set_session_context N'tenant', 42, 1; EXEC sp_set_session_context 'x', N'y'");
        assertThat(value("SELECT SUBSTRING(CONTEXT_INFO(), 1, 3), SESSION_CONTEXT(N'tenant'), SESSION_CONTEXT(N'X')"))
                .isEqualTo("0x010200|42|y");
        assertThat(errors("EXEC sp_set_session_context N'tenant', 43").getFirst())
                .startsWith("error 15664");
    }

    @Test
    void appLocksExcludeOtherSessions() throws Exception {
        EngineSession other = login();
        assertThat(lock(session, "Session", 0)).isEqualTo("status 0");
        assertThat(lock(other, "Session", 0)).isEqualTo("status -1");
        assertThat(value("SELECT APPLOCK_MODE('public', 'r', 'Session')")).isEqualTo("Exclusive");
        FutureTask<String> waiting = new FutureTask<>(() -> lock(other, "Session", 60_000));
        Thread waiter = Thread.ofPlatform().start(waiting);
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        assertThat(call("sp_releaseapplock", text("r"), text("Session")).events())
                .contains("status 0");
        assertThat(waiting.get(10, TimeUnit.SECONDS)).as("granted after a wait").isEqualTo("status 1");
        assertThat(engine.appLocksHeld()).isEqualTo(1);
        other.close();
        assertThat(engine.appLocksHeld()).isZero();
    }

    @Test
    void appLocksOfATransactionEndWithIt() {
        assertThat(lock(session, "Transaction", 0)).isEqualTo("status -999");
        run("BEGIN TRAN");
        assertThat(lock(session, "Transaction", 0)).isEqualTo("status 0");
        run("ROLLBACK");
        assertThat(engine.appLocksHeld()).isZero();
    }

    private static String lock(EngineSession session, String owner, int timeout) {
        Recording recording = new Recording();
        session.call("sp_getapplock", List.of(text("r"), text("Exclusive"), text(owner), number(timeout)), recording);
        return recording.events().stream()
                .filter(e -> e.startsWith("status"))
                .findFirst()
                .orElse("none");
    }

    @Test
    void resetClearsEverythingButTheIsolationLevel() {
        String options = "SELECT @@OPTIONS, @@LOCK_TIMEOUT, @@DATEFIRST, @@TEXTSIZE";
        String fresh = value(options);
        run("USE stock; SET LANGUAGE Deutsch; SET NOCOUNT ON; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        run("SET LOCK_TIMEOUT 5; SET TEXTSIZE 100; SET ROWCOUNT 1; DECLARE c CURSOR GLOBAL FOR SELECT 1; OPEN c");
        assertThat(value(options)).isNotEqualTo(fresh);
        run("CREATE TABLE #t (id int); SET CONTEXT_INFO 0x01; EXEC sp_set_session_context 'k', 'v'; BEGIN TRAN");
        call("sp_prepare", output(Types.INT), text(""), text("SELECT 1"));
        lock(session, "Session", 0);
        Recording reset = new Recording();
        session.reset(false, reset);
        assertThat(reset.events()).containsExactly("rolled back");
        assertThat(value("SELECT @@TRANCOUNT, DB_NAME(), @@LANGUAGE, @@OPTIONS, CONTEXT_INFO(), SESSION_CONTEXT(N'k')"))
                .isEqualTo("0|shop|us_english|5432|NULL|NULL");
        assertThat(value(options)).isEqualTo(fresh);
        assertThat(rows("SELECT 1 UNION ALL SELECT 2")).as("no ROWCOUNT").hasSize(2);
        assertThat(errors("FETCH NEXT FROM c").getFirst()).startsWith("error 16916");
        assertThat(errors("SELECT * FROM #t").getFirst()).contains("208");
        assertThat(engine.preparedHandles() + engine.appLocksHeld() + engine.temporaryTables())
                .isZero();
        assertThat(value("SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID"))
                .isEqualTo("4");
    }

    @Test
    void resetCanKeepTheTransaction() {
        run("CREATE TABLE t (id int); BEGIN TRAN; INSERT t VALUES (1)");
        Recording reset = new Recording();
        session.reset(true, reset);
        assertThat(reset.events()).isEmpty();
        assertThat(value("SELECT @@TRANCOUNT")).isEqualTo("1");
        run("COMMIT");
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("1");
    }

    @Test
    void enginesKnowNothingOfEachOther() {
        try (Engine second = new Engine(EngineSettings.named("OTHER"))) {
            second.createDatabase("shop");
            second.createLogin("app", "secret", "shop");
            EngineSession there = new SessionRequests(second.login(Login.of(51, "app", "secret", "")));
            run("CREATE TABLE t (id int)");
            assertThat(rows(there, "SELECT DB_NAME()")).containsExactly("shop");
            assertThat(run(there, "SELECT * FROM t").errors())
                    .containsExactly("error 208 16 line 1: Invalid object name 't'.");
        }
    }

    @Test
    void bulkLoadPutsAllRowsOrNone() {
        run("CREATE TABLE t (id int PRIMARY KEY, name varchar(5), made datetime DEFAULT GETDATE())");
        run("INSERT BULK t (id int, name nvarchar(5)) WITH (TABLOCK)");
        Recording loaded = new Recording();
        EngineSession.BulkInsert bulk = session.bulk(loaded);
        assertThat(bulk.columns()).extracting(Column::name).containsExactly("id", "name");
        bulk.row(new Object[] {1, "a"});
        bulk.row(new Object[] {2, null});
        bulk.end();
        assertThat(loaded.events()).containsExactly("done 2");
        assertThat(rows("SELECT id, name, IIF(DATEDIFF(second, made, GETDATE()) BETWEEN 0 AND 600, 'now', 'then')"
                        + " FROM t ORDER BY id"))
                .containsExactly("1|a|now", "2|NULL|now");
        run("INSERT BULK t (id int)");
        Recording failed = new Recording();
        bulk = session.bulk(failed);
        bulk.row(new Object[] {3});
        bulk.row(new Object[] {1});
        bulk.end();
        assertThat(failed.errors()).hasSize(1);
        assertThat(value("SELECT COUNT(*) FROM t")).isEqualTo("2");
    }

    @Test
    void isolationLevelOfAProcedureEndsWithIt() {
        run("CREATE PROCEDURE dbo.strict AS SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; EXEC dbo.strict");
        call("dbo.strict");
        call("sp_executesql", text("SET TRANSACTION ISOLATION LEVEL SNAPSHOT"));
        run("EXEC ('SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED')");
        assertThat(run("DBCC USEROPTIONS").rowLines()).contains("isolation level|repeatable read");
    }

    @Test
    void localCursorsEndWithTheirBatch() {
        run("DECLARE c CURSOR LOCAL FOR SELECT 1; OPEN c");
        assertThat(errors("FETCH NEXT FROM c").getFirst()).startsWith("error 16916");
        run("DECLARE c CURSOR GLOBAL FOR SELECT 1; OPEN c");
        assertThat(rows("FETCH NEXT FROM c")).containsExactly("1");
    }

    /** If each drop waited two seconds for what its own transaction has written, all of them would take a minute. */
    @Test
    @Timeout(30)
    void temporaryTableOfAProcedureEndsWithItInATransactionToo() {
        run("CREATE PROCEDURE dbo.makes AS CREATE TABLE #p (a int); INSERT INTO #p VALUES (1)");
        assertThat(errors("BEGIN TRAN" + "; EXEC dbo.makes".repeat(30))).isEmpty();
        assertThat(errors("SELECT a FROM #p").getFirst()).startsWith("error 208");
        run("ROLLBACK");
        assertThat(engine.temporaryTables()).isZero();
    }
}

package dev.comporta.e2e.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.standin.Standin;
import dev.comporta.tds.TdsVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Two stand-ins with the same tables: one that sessions have to themselves, and one behind the proxy. */
record Place(PlaceSettings settings, Standin alone, Standin shared, Instance instance) implements AutoCloseable {
    private static final String USER = "sa";
    private static final String PASSWORD = "Secret-1";
    private static final String DATABASE = "AppDB";

    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE ledger (client int NOT NULL, entry int NOT NULL, note nvarchar(60) NULL,"
                    + " CONSTRAINT pk_ledger PRIMARY KEY (client, entry))",
            "CREATE TABLE ident (id int IDENTITY PRIMARY KEY, client int NOT NULL)",
            "CREATE INDEX ident_client ON ident (client)",
            "CREATE TABLE ten (n int NOT NULL PRIMARY KEY)",
            "INSERT INTO ten VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)",
            "CREATE PROCEDURE adds_row @client int, @entry int AS"
                    + " INSERT INTO AppDB.dbo.ledger (client, entry, note) VALUES (@client, @entry, N'by procedure')",
            "CREATE PROCEDURE gives_back @n int, @out int OUTPUT AS SET @out = @n * 2; SELECT @n AS n; RETURN 7",
            "CREATE PROCEDURE sets_options AS SET NOCOUNT ON; SET DATEFIRST 3; SET XACT_ABORT ON; SET ROWCOUNT 5;"
                    + " IF @@TRANCOUNT = 0 SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SELECT @@OPTIONS, @@DATEFIRST",
            "CREATE PROCEDURE fails @how int AS IF @how = 1 RAISERROR('failed', 16, 1);"
                    + " IF @how = 2 SELECT 1 / 0; IF @how = 3 THROW 50003, N'thrown', 1; SELECT 'on'",
            "CREATE PROCEDURE makes_table AS CREATE TABLE #p (a int); INSERT INTO #p VALUES (1); SELECT a FROM #p",
            "CREATE PROCEDURE begins AS BEGIN TRAN",
            "CREATE PROCEDURE commits AS COMMIT",
            // Shared: others must not find what it leaves; its own caller may lose it, and so does not ask.
            "CREATE PROCEDURE leaves_quietly @n int AS DECLARE @c varbinary(128) = CAST(@n AS varbinary(4)); SET CONTEXT_INFO @c;"
                    + " EXEC sp_set_session_context N'a', @n",
            // Named under `procedures.pin`: what it leaves is not in any text (docs/scanner.md, Procedures).
            "CREATE PROCEDURE leaves_context @n int AS DECLARE @c varbinary(128) = CAST(@n AS varbinary(4)); SET CONTEXT_INFO @c");

    static Place open(PlaceSettings settings) throws IOException {
        Standin alone = standin(settings);
        Standin shared = standin(settings);
        Instance instance = LocalInstance.start(LocalInstance.PATIENT + "default_bucket: place", """
                buckets:
                  - id: place
                    host: 127.0.0.1
                    port: %d
                    max_connections: %d
                    min_idle: 0
                    pool_mode: %s
                    pin_identity: %s
                    procedures: {pin: [leaves_context]}
                    encrypt: off
                """.formatted(
                        shared.port(), settings.limit(), settings.mode(), settings.pinIdentity()));
        shared.forgetMostSessions();
        return new Place(settings, alone, shared, instance);
    }

    private static Standin standin(PlaceSettings settings) throws IOException {
        Standin standin = Standin.builder()
                .address("127.0.0.1")
                .port(0)
                .habits(settings.habits())
                .database(DATABASE)
                .database("Other")
                .login(USER, PASSWORD)
                .start();
        for (String line : ask(standin, SCHEMA)) {
            assertThat(line).doesNotStartWith("ERROR");
        }
        await("whoever made the tables has left").until(() -> standin.counters().sessionsOpen() == 0);
        return standin;
    }

    private static List<String> ask(Standin standin, List<String> batches) throws IOException {
        try (WireClient client = new WireClient(standin.port(), TdsVersion.V7_4)) {
            client.login(USER, PASSWORD, DATABASE);
            List<String> lines = new java.util.ArrayList<>();
            for (String batch : batches) {
                lines.addAll(client.play(Step.batch(batch)));
            }
            return lines;
        }
    }

    Player direct() {
        return new Player(alone.port(), USER, PASSWORD, DATABASE);
    }

    Player proxied() {
        return new Player(instance.proxy().port(), USER, PASSWORD, DATABASE);
    }

    /** Removes a session's rows, so that it can be played again. */
    void forget(int client) throws IOException {
        List<String> deletes = List.of(
                "DELETE FROM ledger WHERE client = " + client,
                "DELETE FROM ident WHERE client = " + client,
                "DROP TABLE IF EXISTS changes" + client);
        ask(alone, deletes);
        ask(shared, deletes);
    }

    /** After all have left: nothing is lost, nothing doubled, nothing left, and the limit was kept. */
    void check() throws IOException {
        assertThat(shared.counters().mostSessions())
                .as("most server connections")
                .isBetween(1, settings.limit());
        await("nothing is left of any session").atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(shared.engine().openTransactions()).as("transactions").isZero();
            assertThat(shared.engine().appLocksHeld()).as("application locks").isZero();
        });
        List<String> totals = List.of(
                "SELECT client, COUNT(*), SUM(entry) FROM ledger GROUP BY client ORDER BY client",
                "SELECT client, COUNT(*) FROM ident GROUP BY client ORDER BY client");
        assertThat(ask(shared, totals))
                .as("rows of all sessions")
                .isEqualTo(ask(alone, totals))
                .anyMatch(line -> line.startsWith("ROW"));
    }

    @Override
    public void close() {
        instance.close();
        shared.close();
        alone.close();
    }
}

package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service account whose password a command prints, and which is rotated at the server. */
@Timeout(180)
class PasswordCommandTest {
    private static final String ROTATED = "Rotated!2";

    @TempDir
    private Path directory;

    private Path password;
    private Path runs;
    private Path script;

    @BeforeEach
    void writeScript() throws IOException {
        password = directory.resolve("password");
        runs = directory.resolve("runs");
        script = directory.resolve("print-password");
        Files.writeString(runs, "");
        Files.writeString(
                script,
                "#!/bin/bash\necho $COMPORTA_BUCKET/$COMPORTA_LOGIN >> %s\ncat %s || exit 7\n"
                        .formatted(runs, password));
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private RunningProxy start(String more) throws IOException {
        return RunningProxy.start(
                directory,
                "",
                "max_connections: 8, trust_server_certificate: true, auth: mapped, username: sa,"
                        + " password_command: [" + script + "], logins: [{username: web, password: pw}], " + more);
    }

    private static Connection connect(RunningProxy running) throws SQLException {
        return running.connect("main", "user=web;password=pw");
    }

    private static BucketSnapshot pool(RunningProxy running) {
        return running.proxy.glance("one").pool();
    }

    /** Holds so many server connections at the same time. */
    private static List<Connection> inTransactions(RunningProxy running, int n) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Connection client = connect(running);
            client.setAutoCommit(false);
            run(client, "INSERT INTO notes VALUES (" + i + ")");
            all.add(client);
        }
        return all;
    }

    private static void createTable(RunningProxy running) throws SQLException {
        try (Connection client = connect(running)) {
            run(client, "CREATE TABLE notes (id INT)");
        }
    }

    private long runs() throws IOException {
        return Files.readAllLines(runs).size();
    }

    @Test
    void rotatedPasswordIsUsedFromTheNextOpeningOnAndSplitsNoPool() throws Exception {
        Files.writeString(password, RunningProxy.PASSWORD + "\n");
        try (RunningProxy running = start("password_ttl: 1h")) {
            createTable(running);
            List<Connection> before = inTransactions(running, 3);
            assertThat(Files.readAllLines(runs)).as("one for all openings").containsExactly("one/sa");

            running.server.engine().createLogin("sa", ROTATED, "AppDB");
            Files.writeString(password, ROTATED);
            List<Connection> after = inTransactions(running, 2);
            assertThat(runs()).as("the login that failed asked once more").isEqualTo(2);
            for (Connection old : before) {
                assertThat(ask(old, "SELECT 1")).as("opened with the old one").isEqualTo("1");
            }
            BucketSnapshot pool = pool(running);
            assertThat(pool.pools()).hasSize(1);
            assertThat(pool.openFailures().get(OpenFailure.LOGIN_REJECTED)).isZero();
            assertThat(running.server.counters().failedLogins()).isEqualTo(1);
            assertThat(after).hasSize(2);
        }
    }

    @Test
    void passwordThatDiffersEachTimeIsAskedForEachOpening() throws Exception {
        Files.writeString(password, RunningProxy.PASSWORD);
        try (RunningProxy running = start("password_ttl: 0")) {
            createTable(running);
            inTransactions(running, 3);
            assertThat(runs()).isEqualTo(3);
            assertThat(pool(running).pools()).hasSize(1);
        }
    }

    @Test
    void clientsWaitWhileTheCommandFailsAndAreServedWhenItWorks() throws Exception {
        try (LogLines log = new LogLines("dev.comporta.proxy.loop.ServerReports");
                RunningProxy running = start("password_ttl: 1m")) {
            FutureTask<String> client = new FutureTask<>(() -> {
                try (Connection waits = connect(running)) {
                    return ask(waits, "SELECT 1");
                }
            });
            Thread.ofVirtual().start(client);
            await().until(() -> pool(running).openFailures().get(OpenFailure.NO_CREDENTIALS) >= 3);
            assertThat(client.isDone()).isFalse();
            assertThat(pool(running).health().state()).isEqualTo(HealthState.UP);
            assertThat(running.server.counters().failedLogins()).isZero();
            assertThat(log.lines()).anyMatch(line -> line.contains("print-password ended with code 7"));
            Files.writeString(password, RunningProxy.PASSWORD);
            assertThat(client.get()).isEqualTo("1");
            assertThat(running.server.counters().logins()).isEqualTo(1);
        }
    }

    @Test
    void wrongPasswordCountsAfterItWasAskedForOnceMore() throws Exception {
        Files.writeString(password, "wrong");
        try (RunningProxy running = start("password_ttl: 1m")) {
            assertThatThrownBy(() -> connect(running)).isInstanceOf(SQLException.class);
            assertThat(runs()).isEqualTo(2);
            assertThat(running.server.counters().failedLogins())
                    .as("the same password is not tried again")
                    .isEqualTo(1);
        }
    }
}

package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.engine.ServerHabits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the proxy can't follow it passes on: the client gets its answer, and the connection serves nobody else. */
@Timeout(60)
class NotUnderstoodTest {
    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.habits(ServerHabits.BABELFISH),
                settings -> settings.maxConnections(1).minIdle(0));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** Babelfish sends the rows of sp_cursorfetch with a value more than COLMETADATA describes. */
    @Test
    void rowsThatAreNotAsDescribedReachTheirClient() throws Exception {
        try (Connection client = fixture.connect()) {
            run(client, "CREATE TABLE notes (id INT)");
            run(client, "INSERT INTO notes VALUES (1), (2), (3)");
            try (Statement statement =
                            client.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                    ResultSet rows = statement.executeQuery("SELECT id FROM notes ORDER BY id")) {
                int sum = 0;
                while (rows.next()) {
                    sum += rows.getInt(1);
                }
                assertThat(sum).isEqualTo(6);
            }
            assertThat(ask(client, "SELECT 5")).isEqualTo("5");
            assertThat(fixture.proxy.glance("one").pool().pins().get(PinReason.NOT_UNDERSTOOD))
                    .isEqualTo(1);
        }
        await().until(() -> fixture.server.counters().sessionsOpen() == 0);
        try (Connection next = fixture.connect()) {
            assertThat(ask(next, "SELECT 1")).isEqualTo("1");
        }
    }
}

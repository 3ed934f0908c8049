package dev.comporta.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.PostgresDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgresContractTest extends ConnectionContract<PostgresDatabase> {
    PostgresContractTest() throws Exception {
        super(new PostgresDatabase());
    }

    /** 53300. */
    @Test
    void aServerThatIsFullIsNotDownAndServesTheWaitersWhenItHasRoom() throws Exception {
        database.limit(1);
        try (ComportaDataSource pool = pool(2)) {
            pool.setFailureThreshold(1);
            Connection only = pool.getConnection();
            CompletableFuture<Connection> waits = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                try {
                    waits.complete(pool.getConnection());
                } catch (Exception e) {
                    waits.completeExceptionally(e);
                }
            });
            await().atMost(Duration.ofMinutes(2)).until(() -> pool.statistics().full() > 0);
            assertThat(pool.isHealthy()).isTrue();
            database.limit(5);
            waits.get(2, TimeUnit.MINUTES).close();
            only.close();
        } finally {
            database.limit(-1);
        }
    }
}

package dev.comporta.jdbc.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.ComportaDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {
    @Test
    void hikarisDashboardsShowThePool() throws SQLException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ComportaDataSource pool = new ComportaDataSource()) {
            pool.setJdbcUrl("jdbc:h2:mem:metrics");
            pool.setMaximumPoolSize(4);
            pool.setMinimumIdle(0);
            new PoolMetrics("orders", pool::statistics).bindTo(registry);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
                assertThat(value(registry, "")).isEqualTo(1);
                assertThat(value(registry, ".active")).isEqualTo(1);
                assertThat(value(registry, ".max")).isEqualTo(4);
            }
            assertThat(value(registry, ".idle")).isEqualTo(1);
            assertThat(value(registry, ".pending")).isZero();
            assertThat(value(registry, ".min")).isZero();
            for (String timer : new String[] {"acquire", "usage", "creation"}) {
                assertThat(registry.get("hikaricp.connections." + timer)
                                .tag("pool", "orders")
                                .functionTimer()
                                .count())
                        .as(timer)
                        .isEqualTo(1);
            }
            assertThat(registry.get("hikaricp.connections.timeout")
                            .functionCounter()
                            .count())
                    .isZero();
        }
    }

    private static double value(SimpleMeterRegistry registry, String name) {
        return registry.get("hikaricp.connections" + name)
                .tag("pool", "orders")
                .gauge()
                .value();
    }
}

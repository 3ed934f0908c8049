package dev.comporta.jdbc.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.lease.redis.testkit.RedisProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

class SpringBootExampleTest {
    /** An application that knows nothing of Comporta: {@code spring.datasource.type} is enough. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class PlainApplication {}

    /** An application that sets more than the login. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TunedApplication {
        @Bean
        @ConfigurationProperties("comporta.datasource")
        ComportaDataSource dataSource() {
            return new ComportaDataSource();
        }
    }

    private static ConfigurableApplicationContext run(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .properties(properties)
                .run();
    }

    @Test
    void theTypeOfTheDataSourceIsEnough() {
        ComportaDataSource pool;
        try (ConfigurableApplicationContext context = run(
                PlainApplication.class,
                "spring.datasource.type=dev.comporta.jdbc.ComportaDataSource",
                "spring.datasource.url=jdbc:h2:mem:plain;DB_CLOSE_DELAY=-1",
                "spring.datasource.username=sa")) {
            pool = (ComportaDataSource) context.getBean(DataSource.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForObject("SELECT 6 * 7", Integer.class)).isEqualTo(42);
            assertThat(pool.statistics().acquires()).isEqualTo(1);
        }
        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void otherSettingsHaveOnePrefix() throws SQLException {
        try (ConfigurableApplicationContext context = run(
                TunedApplication.class,
                "comporta.datasource.jdbc-url=jdbc:h2:mem:tuned;DB_CLOSE_DELAY=-1",
                "comporta.datasource.username=sa",
                "comporta.datasource.max-lifetime=11m",
                "comporta.datasource.guard-window=1h")) {
            ComportaDataSource pool = context.getBean(ComportaDataSource.class);
            assertThatThrownBy(pool::validate)
                    .hasMessageStartingWith(
                            "maxLifetime is \"" + Duration.ofMinutes(11).toNanos() + "ns\": set more than");
        }
        try (ConfigurableApplicationContext context = run(
                TunedApplication.class,
                "comporta.datasource.jdbc-url=jdbc:h2:mem:tuned;DB_CLOSE_DELAY=-1",
                "comporta.datasource.username=sa",
                "comporta.datasource.maximum-pool-size=2",
                "comporta.datasource.max-lifetime=11m",
                "comporta.datasource.connection-timeout=2500",
                "comporta.datasource.pool-name=tuned")) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForObject("SELECT 6 * 7", Integer.class)).isEqualTo(42);
            ComportaDataSource pool = context.getBean(ComportaDataSource.class);
            assertThat(pool.statistics().max()).isEqualTo(2);
            assertThat(pool.statistics().name()).isEqualTo("tuned");
            try (Connection _ = pool.getConnection();
                    Connection _ = pool.getConnection()) {
                // The default, 30 s, would be told in seconds. Shorter, a busy machine had no time for the query above.
                assertThatThrownBy(pool::getConnection)
                        .hasMessageMatching("(?s).*pool tuned: no connection within \\d+ ms.*");
            }
        }
    }

    @Test
    void aLimitOfTheFleetIsAPropertyToo() throws IOException {
        try (RedisProcess redis = new RedisProcess();
                ConfigurableApplicationContext context = run(
                        TunedApplication.class,
                        "comporta.datasource.jdbc-url=jdbc:h2:mem:fleet;DB_CLOSE_DELAY=-1",
                        "comporta.datasource.username=sa",
                        "comporta.datasource.pool-name=orders",
                        "comporta.datasource.leases=redis://127.0.0.1:" + redis.port(),
                        "comporta.datasource.heartbeat-interval=2s",
                        "comporta.datasource.heartbeat-ttl=6s",
                        "comporta.datasource.local-limit-divisor=1")) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForObject("SELECT 6 * 7", Integer.class)).isEqualTo(42);
            assertThat(redis.ask("EXISTS proxy:{orders}:slots")).isEqualTo(":1");
        }
    }
}

package dev.comporta.bench.jdbc;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.comporta.jdbc.ComportaDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.beans.PropertyVetoException;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.vibur.dbcp.ViburDBCPDataSource;

/** The compared pools, with equivalent settings. Settings without an equivalent have the pool's default. */
public enum PeerPool {
    COMPORTA("Comporta") {
        @Override
        DataSource open(Terms terms) {
            return comporta(terms);
        }
    },
    HIKARI("HikariCP") {
        @Override
        DataSource open(Terms terms) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(terms.url);
            config.setDriverClassName(DRIVER);
            config.setMaximumPoolSize(terms.size);
            config.setMinimumIdle(terms.ready);
            config.setConnectionTimeout(PATIENCE.toMillis());
            config.setMaxLifetime(terms.lifetime.toMillis());
            return new HikariDataSource(config);
        }
    },
    AGROAL("Agroal") {
        @Override
        DataSource open(Terms terms) throws SQLException {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(terms.size)
                            .minSize(terms.ready)
                            .initialSize(terms.ready)
                            .acquisitionTimeout(PATIENCE)
                            .connectionValidator(
                                    AgroalConnectionPoolConfiguration.ConnectionValidator.defaultValidator())
                            .validateOnBorrow(terms.test)
                            .maxLifetime(terms.lifetime)
                            .connectionFactoryConfiguration(to ->
                                    to.connectionProviderClass(StubDriver.class).jdbcUrl(terms.url))));
        }
    },
    /** Has no maximum lifetime. */
    VIBUR("Vibur") {
        @Override
        DataSource open(Terms terms) {
            ViburDBCPDataSource made = new ViburDBCPDataSource();
            made.setJdbcUrl(terms.url);
            made.setDriverClassName(DRIVER);
            made.setUsername("app");
            made.setPassword("secret");
            made.setPoolInitialSize(terms.ready);
            made.setPoolMaxSize(terms.size);
            made.setConnectionTimeoutInMs(PATIENCE.toMillis());
            made.start();
            return made;
        }
    },
    TOMCAT("Tomcat JDBC") {
        @Override
        DataSource open(Terms terms) {
            PoolProperties properties = new PoolProperties();
            properties.setUrl(terms.url);
            properties.setDriverClassName(DRIVER);
            properties.setMaxActive(terms.size);
            properties.setMaxIdle(terms.size);
            properties.setMinIdle(terms.ready);
            properties.setInitialSize(terms.ready);
            properties.setMaxWait((int) PATIENCE.toMillis());
            properties.setMaxAge(terms.lifetime.toMillis());
            properties.setTestOnBorrow(terms.test); // at most once in three seconds by default
            return new org.apache.tomcat.jdbc.pool.DataSource(properties);
        }
    },
    DBCP2("DBCP2") {
        @Override
        DataSource open(Terms terms) throws SQLException {
            BasicDataSource made = new BasicDataSource();
            made.setUrl(terms.url);
            made.setDriverClassName(DRIVER);
            made.setMaxTotal(terms.size);
            made.setMaxIdle(terms.size);
            made.setMinIdle(terms.ready);
            made.setInitialSize(terms.ready);
            made.setMaxWait(PATIENCE);
            made.setMaxConn(terms.lifetime);
            made.setTestOnBorrow(terms.test);
            made.start();
            return made;
        }
    },
    C3P0("c3p0") {
        @Override
        DataSource open(Terms terms) throws SQLException {
            ComboPooledDataSource made = new ComboPooledDataSource();
            try {
                made.setDriverClass(DRIVER);
            } catch (PropertyVetoException e) {
                throw new IllegalStateException(e);
            }
            made.setJdbcUrl(terms.url);
            made.setMaxPoolSize(terms.size);
            made.setMinPoolSize(terms.ready);
            made.setInitialPoolSize(terms.ready);
            made.setCheckoutTimeout((int) PATIENCE.toMillis());
            made.setMaxConnectionAge((int) terms.lifetime.toSeconds());
            made.setTestConnectionOnCheckout(terms.test);
            return made;
        }
    };

    /**
     * @param size the most connections
     * @param ready idle connections to keep open
     * @param lifetime of a connection; zero means unlimited
     * @param test before a loan, if the pool has a setting; HikariCP, Vibur and Comporta always test after a pause
     */
    record Terms(String url, int size, int ready, Duration lifetime, boolean test) {}

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String DRIVER = StubDriver.class.getName();

    private final String title;

    PeerPool(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Opens the pool. Close it with {@link #close}. */
    abstract DataSource open(Terms terms) throws SQLException;

    static ComportaDataSource comporta(Terms terms) {
        ComportaDataSource made = new ComportaDataSource();
        made.setJdbcUrl(terms.url);
        made.setDriverClassName(DRIVER);
        made.setMaximumPoolSize(terms.size);
        made.setMinimumIdle(terms.ready);
        made.setConnectionTimeout(PATIENCE);
        if (!terms.lifetime.isZero()) {
            made.setMaxLifetime(terms.lifetime);
        }
        return made;
    }

    static void close(DataSource pool) throws Exception {
        switch (pool) {
            case ViburDBCPDataSource vibur -> vibur.terminate();
            case org.apache.tomcat.jdbc.pool.DataSource tomcat -> tomcat.close(true);
            case AutoCloseable closeable -> closeable.close();
            default -> throw new IllegalArgumentException(pool + " can't be closed");
        }
    }
}

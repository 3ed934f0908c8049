package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stub.StubServer;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComportaDataSourceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final StubServer server = new StubServer();
    private final ComportaDataSource pool = new ComportaDataSource();

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(server);
        pool.setJdbcUrl("jdbc:stub:x");
        pool.setUsername("app");
        pool.setPassword("secret");
        pool.setPoolName("orders");
        pool.setMinimumIdle(0);
        pool.setShutdownTimeout(Duration.ofMillis(100));
    }

    @AfterEach
    void deregister() throws SQLException {
        pool.close();
        DriverManager.deregisterDriver(server);
    }

    @Test
    void aWrongNameIsAnErrorThatNamesTheNearest() {
        Properties properties = new Properties();
        properties.setProperty("maximunPoolSize", "5");
        assertThatThrownBy(() -> new ComportaDataSource(properties))
                .hasMessage("there is no setting maximunPoolSize: did you mean maximumPoolSize?");
        assertThatThrownBy(() -> pool.setProperty("max_lifetimes", "5m")).hasMessageContaining("maxLifetime?");
    }

    @ParameterizedTest
    @CsvSource({
        "maxConnections, MAXIMUM_POOL_SIZE",
        "max_connections, MAXIMUM_POOL_SIZE",
        "maximum-pool-size, MAXIMUM_POOL_SIZE",
        "minIdle, MINIMUM_IDLE",
        "queueTimeout, CONNECTION_TIMEOUT",
        "url, JDBC_URL",
        "user, USERNAME",
        "healthCheckQuery, CONNECTION_TEST_QUERY",
        "health_check_interval, KEEPALIVE_TIME"
    })
    void synonymsAreTheSameSetting(String name, Setting setting) {
        assertThat(Setting.named(name)).isEqualTo(setting);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maximumPoolSize | 0 | maximumPoolSize is \"0\": set 1 or more",
                "maximumPoolSize | many | maximumPoolSize is \"many\": set a whole number",
                "minimumIdle | 11 | minimumIdle is \"11\": set 0 to maximumPoolSize, which is 10",
                "maxLifetime | soon | maxLifetime is \"soon\": set a duration such as 30s, 11m or 500ms",
                "healthCheckType | pong | healthCheckType is \"pong\": set one of ping, query, full",
                "exhaustionPolicy | panic | exhaustionPolicy is \"panic\": set one of wait, fail_fast, overflow",
                "transactionIsolation | high | transactionIsolation is \"high\": set read_uncommitted",
                "autoCommit | maybe | autoCommit is \"maybe\": set true or false",
                "jdbcUrl | jdbc:nobody:x | no driver accepts jdbcUrl jdbc:nobody:x: put the database's JDBC driver",
                "driverClassName | no.such.Driver | driverClassName is no.such.Driver, which can't be loaded",
                "guardWindow | 1h | maxLifetime is \"30m\": set more than lifetimeJitter + guardWindow + replaceAhead"
            })
    void aWrongValueIsOneErrorAndNothingIsStarted(String name, String value, String error) {
        pool.setProperty(name, value);
        assertThatThrownBy(pool::getConnection)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(error)
                .message()
                .hasLineCount(1);
        assertThatThrownBy(pool::validate).hasMessageStartingWith(error);
        assertThat(server.connects()).isZero();
    }

    @Test
    void everySettingIsAPropertyOfTheBeanThatSetsItAndNoOther() throws Exception {
        Map<String, PropertyDescriptor> properties = Arrays.stream(
                        Introspector.getBeanInfo(ComportaDataSource.class).getPropertyDescriptors())
                .filter(property -> property.getWriteMethod() != null)
                .collect(Collectors.toMap(PropertyDescriptor::getName, Function.identity()));
        for (Setting setting : Setting.values()) {
            assertSetsOnly(setting, Objects.requireNonNull(properties.get(setting.key()), setting.key()));
        }
        assertSetsOnly(Setting.JDBC_URL, Objects.requireNonNull(properties.get("url")));
        assertSetsOnly(Setting.USERNAME, Objects.requireNonNull(properties.get("user")));
    }

    private static void assertSetsOnly(Setting setting, PropertyDescriptor property) throws Exception {
        Object value = sample(setting, property.getPropertyType());
        try (ComportaDataSource changed = new ComportaDataSource();
                ComportaDataSource untouched = new ComportaDataSource()) {
            property.getWriteMethod().invoke(changed, value);
            for (Setting one : Setting.values()) {
                assertThat(changed.get(one))
                        .as("%s after %s was set", one, property.getName())
                        .isEqualTo(one == setting ? text(value) : untouched.get(one));
            }
        }
    }

    /** A value that is nobody's default. */
    private static Object sample(Setting setting, Class<?> type) {
        if (type == int.class) {
            return 4711;
        } else if (type == boolean.class) {
            return !setting.byDefault().equals("true");
        }
        return type == Duration.class ? Duration.ofSeconds(4711) : "4711";
    }

    private static String text(Object value) {
        return value instanceof Duration duration ? duration.toNanos() + "ns" : value.toString();
    }

    @Test
    void limitsChangeWhileItRunsAndTheUrlDoesNot() throws SQLException {
        pool.setMaximumPoolSize(1);
        try (Connection first = pool.getConnection()) {
            pool.setConnectionTimeout(Duration.ofMillis(10));
            assertThatThrownBy(pool::getConnection).hasMessageContaining("1 of 1 connections in use");
            pool.setConnectionTimeout(PATIENCE);
            pool.setMaximumPoolSize(2);
            pool.getConnection().close();
            assertThat(first.isClosed()).isFalse();
            assertThatThrownBy(() -> pool.setMinimumIdle(3)).hasMessageContaining("minimumIdle is \"3\"");
            assertThatThrownBy(() -> pool.setJdbcUrl("jdbc:stub:y"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("jdbcUrl can't be changed while pool orders runs");
        }
        assertThat(pool.statistics().max()).isEqualTo(2);
    }

    @Test
    void closingTwiceIsHarmlessAndAfterwardsThereAreNoConnections() throws SQLException {
        pool.getConnection().close();
        pool.close();
        pool.close();
        assertThat(pool.isClosed()).isTrue();
        assertThat(server.open()).isZero();
        assertThatThrownBy(pool::getConnection).hasMessageContaining("closed");
    }

    @Test
    void aDataSourceThatWasClosedBeforeItsFirstConnectionStaysClosed() {
        pool.close();
        assertThatThrownBy(pool::getConnection).hasMessageContaining("the data source is closed");
    }

    @Test
    void idleConnectionsAreOpenedAhead() throws SQLException {
        pool.setMinimumIdle(3);
        try (Connection connection = pool.getConnection()) {
            await().atMost(PATIENCE).until(() -> pool.statistics().idle() == 3);
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    @Test
    void initializationFailTimeoutDemandsAConnectionAtTheStart() {
        server.refusal = () -> new SQLException("connection refused", "08001");
        pool.setInitializationFailTimeout(Duration.ofMillis(50));
        assertThatThrownBy(pool::getConnection)
                .hasMessageContaining("no connection within initializationFailTimeout (50 ms): connection refused");
    }

    @Test
    void credentialsThatCantBeHadSayNothingAboutTheServer() throws SQLException {
        AtomicInteger asked = new AtomicInteger();
        pool.setFailureThreshold(1);
        pool.setConnectionTimeout(PATIENCE);
        pool.setCredentials(() -> {
            if (asked.incrementAndGet() < 3) {
                throw new SQLTransientConnectionException("the token service is away");
            }
            return new Credentials.Login("app", "token");
        });
        pool.getConnection().close();
        assertThat(server.connects()).isEqualTo(1);
        assertThat(pool.isHealthy()).isTrue();
        assertThat(pool.statistics().errors()).isEqualTo(2);
    }

    @Test
    void credentialsThatWillNeverBeHadAreToldAtOnce() {
        pool.setConnectionTimeout(PATIENCE);
        pool.setCredentials(() -> {
            throw new SQLInvalidAuthorizationSpecException("no such secret: create it", "28000");
        });
        assertThatThrownBy(pool::getConnection)
                .isNotInstanceOf(SQLTransientConnectionException.class) // as a wait in vain is
                .hasMessageContaining("no such secret: create it");
        assertThat(pool.statistics().timeouts()).isZero();
    }

    @Test
    void credentialsAreAskedForAtEachOpening() throws SQLException {
        AtomicInteger tokens = new AtomicInteger();
        pool.setCredentials(() -> new Credentials.Login("app", "token " + tokens.incrementAndGet()));
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            assertThat(first).isNotSameAs(second);
        }
        assertThat(server.logins()).extracting(p -> p.getProperty("password")).containsExactly("token 1", "token 2");
    }

    @Test
    void configuredDefaultsHoldForEveryClient() throws SQLException {
        pool.setAutoCommit(false);
        pool.setReadOnly(true);
        pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        pool.setSchema("sales");
        pool.setConnectionInitSql("SET x");
        for (int client = 0; client < 2; client++) {
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(connection.isReadOnly()).isTrue();
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
                assertThat(connection.getSchema()).isEqualTo("sales");
                assertThat(StubServer.state(connection).calls()).contains("execute SET x");
                connection.setAutoCommit(true);
                connection.setReadOnly(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
                connection.setSchema("other");
            }
        }
        assertThat(server.connects()).isEqualTo(1);
    }

    @Test
    void jmxShowsAndSuspendsThePool() throws Exception {
        pool.setRegisterMbeans(true);
        pool.getConnection().close();
        MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("dev.comporta:type=Pool,name=\"orders\"");
        assertThat(jmx.getAttribute(name, "TotalConnections")).isEqualTo(1);
        jmx.invoke(name, "suspendPool", null, null);
        pool.setConnectionTimeout(Duration.ofMillis(10));
        assertThatThrownBy(pool::getConnection).hasMessageContaining("suspended");
        jmx.invoke(name, "resumePool", null, null);
        pool.setConnectionTimeout(PATIENCE);
        pool.getConnection().close();
        pool.close();
        assertThat(jmx.isRegistered(name)).isFalse();
    }

    @Test
    void anErrorShowsTheUrlWithoutItsPasswords() {
        pool.setJdbcUrl("jdbc:nobody://app:hunter2@db/x?password=hunter2&ssl=true");
        assertThatThrownBy(pool::getConnection)
                .hasMessageContaining("ssl=true")
                .message()
                .doesNotContain("hunter2");
    }
}

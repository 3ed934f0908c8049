package dev.comporta.jdbc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.pool.settings.BucketSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DsqlProfileTest {
    private static final String CLUSTER = "weabcdefghijklmnopqrstuvwx.dsql.eu-west-1.on.aws";
    private static final String URL = "jdbc:postgresql://" + CLUSTER + "/postgres";

    private final Map<String, String> environment = new HashMap<>();

    private Settings settings(String... namesAndValues) {
        Settings s = new Settings(environment);
        s.set(Setting.JDBC_URL, URL);
        s.set(Setting.USERNAME, "app");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            s.set(namesAndValues[i], namesAndValues[i + 1]);
        }
        return s;
    }

    private BucketSettings bucket(boolean inFleet, String... namesAndValues) {
        return Plan.bucket(Profile.over(settings(namesAndValues)), inFleet);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://abc.dsql.us-east-1.on.aws/postgres, AURORA_DSQL",
        "jdbc:postgresql://abc.dsql.us-east-1.on.aws:5432/postgres?user=admin, AURORA_DSQL",
        "jdbc:postgresql://ABC.DSQL.us-east-1.on.AWS, AURORA_DSQL",
        "jdbc:postgresql://abc.dsql-fnh4.us-east-1.on.aws/postgres, AURORA_DSQL",
        "jdbc:postgresql://dsql.us-east-1.on.aws/postgres, POSTGRESQL",
        "jdbc:postgresql://abc.dsql.us-east-1.on.aws.example.com/postgres, POSTGRESQL",
        "jdbc:postgresql://db/orders?x=abc.dsql.us-east-1.on.aws, POSTGRESQL",
        "jdbc:postgresql://a.dsql.us-east-1.on.aws@db/orders, POSTGRESQL",
        "jdbc:mysql://abc.dsql.us-east-1.on.aws/postgres, MYSQL"
    })
    void aClusterIsKnownByItsName(String url, Dialect dialect) {
        assertThat(Dialect.of(url)).isEqualTo(dialect);
    }

    @Test
    void theProfileIsThatOfTheDesign() {
        BucketSettings alone = bucket(false);
        assertThat(alone.reservoir().lifetime()).isEqualTo(Duration.ofMinutes(11));
        assertThat(alone.reservoir().lifetimeJitter()).isEqualTo(Duration.ofMinutes(2));
        assertThat(alone.reservoir().guardWindow()).isEqualTo(Duration.ofSeconds(45));
        assertThat(alone.connectRate().perSecond()).isEqualTo(100);
        assertThat(alone.maxConnections()).isEqualTo(10);
        assertThat(alone.reservoir().targetReady()).isZero();
        BucketSettings inFleet = bucket(true);
        assertThat(inFleet.maxConnections()).isEqualTo(10_000);
        assertThat(inFleet.logins().limit()).isEqualTo(10);
    }

    @Test
    void aServerOfTheRegistryHasTheProfileToo() {
        Settings server = settings();
        server.setDefault(Setting.MAX_LIFETIME, "1h");
        assertThat(Profile.over(server).time(Setting.MAX_LIFETIME)).isEqualTo(Duration.ofMinutes(13));
    }

    @Test
    void theProfileCanBeForcedAndSwitchedOff() {
        Settings forced = settings("jdbcUrl", "jdbc:postgresql://localhost/postgres", "profile", "dsql");
        assertThat(Profile.dialect(forced)).isEqualTo(Dialect.AURORA_DSQL);
        Settings off = settings("profile", "none", "maxLifetime", "2h");
        assertThat(Profile.dialect(off)).isEqualTo(Dialect.POSTGRESQL);
        assertThat(Profile.over(off).time(Setting.MAX_LIFETIME)).isEqualTo(Duration.ofHours(2));
        assertThatThrownBy(() -> Profile.over(settings("profile", "aurora")))
                .hasMessage("profile is \"aurora\": set one of auto, none, dsql");
        assertThatThrownBy(() -> Profile.over(settings("jdbcUrl", "jdbc:h2:mem:x", "profile", "dsql")))
                .hasMessageContaining("jdbc:postgresql:");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxLifetime|54m30s|maxLifetime is \"54m30s\": set a duration",
                "maxLifetime|3270s|set less than 55m together with guardWindow, which is 45000 ms",
                "maxLifetime|0|maxLifetime is \"0\": set less than 55m",
                "guardWindow|45m|maxLifetime is \"13m\": set less than 55m together with guardWindow",
                "dataSource.autosave|always|autosave is \"always\": Aurora DSQL has no savepoints",
                "dataSource.sslmode|prefer|sslmode is \"prefer\": Aurora DSQL takes connections over TLS only",
                "jdbcUrl|jdbc:postgresql://a.dsql.eu-west-1.on.aws/postgres?sslmode=disable|sslmode is \"disable\"",
                "jdbcUrl|jdbc:postgresql://a.dsql.eu-west-1.on.aws/postgres?x=1&autosave=conservative|autosave is"
            })
    void whatTheClusterDoesNotTakeIsAnErrorBeforeItIsAsked(String name, String value, String error) {
        assertThatThrownBy(() -> bucket(false, name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(error);
    }

    @Test
    void aLifetimeJustBelowTheLongestIsTaken() {
        assertThat(bucket(false, "maxLifetime", "3254s").reservoir().lifetime())
                .isEqualTo(Duration.ofSeconds(3254 - 120));
        bucket(false, "dataSource.autosave", "never", "dataSource.sslmode", "require");
    }

    // The environment.

    @Test
    void withoutTheReservoirsSwitchItsVariablesHaveNoEffect() {
        environment.put(DsqlEnvironment.TARGET_READY, "7");
        environment.put(DsqlEnvironment.BASE_LIFETIME, "20m");
        environment.put(DsqlEnvironment.LEASE_TABLE, "slots");
        BucketSettings now = bucket(false);
        assertThat(now.reservoir().targetReady()).isZero();
        assertThat(now.reservoir().lifetime()).isEqualTo(Duration.ofMinutes(11));
        assertThat(FleetPlan.of(Profile.over(settings()))).isNull();
    }

    @Test
    void theReservoirIsAsLargeAsThePoolUnlessSaidOtherwise() {
        environment.put(DsqlEnvironment.RESERVOIR_ENABLED, "true");
        BucketSettings usual = bucket(false, "maximumPoolSize", "20");
        assertThat(usual.reservoir().targetReady()).isEqualTo(20);
        assertThat(usual.reservoir().lowWatermark()).isEqualTo(20);
        assertThat(usual.reservoir().lifetime()).isEqualTo(Duration.ofMinutes(11));
        assertThat(usual.reservoir().lifetimeJitter()).isEqualTo(Duration.ofMinutes(2));
        assertThat(usual.reservoir().guardWindow()).isEqualTo(Duration.ofSeconds(45));
        environment.put(DsqlEnvironment.TARGET_READY, "7");
        environment.put(DsqlEnvironment.LOW_WATERMARK, "3");
        environment.put(DsqlEnvironment.BASE_LIFETIME, "1200s");
        environment.put(DsqlEnvironment.LIFETIME_JITTER, "1m30s");
        environment.put(DsqlEnvironment.GUARD_WINDOW, "500ms");
        BucketSettings set = bucket(false, "maximumPoolSize", "20");
        assertThat(set.reservoir().targetReady()).isEqualTo(7);
        assertThat(set.reservoir().lowWatermark()).isEqualTo(3);
        assertThat(set.reservoir().lifetime()).isEqualTo(Duration.ofMinutes(20));
        assertThat(set.reservoir().lifetimeJitter()).isEqualTo(Duration.ofSeconds(90));
        assertThat(set.reservoir().guardWindow()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void settingsGoBeforeTheEnvironment() {
        environment.put(DsqlEnvironment.RESERVOIR_ENABLED, "true");
        environment.put(DsqlEnvironment.TARGET_READY, "7");
        environment.put(DsqlEnvironment.BASE_LIFETIME, "20m");
        environment.put(DsqlEnvironment.LEASE_ENABLED, "true");
        environment.put(DsqlEnvironment.LEASE_TABLE, "slots");
        BucketSettings now = bucket(true, "targetReady", "2", "lifetimeJitter", "1m", "fleetLimit", "500");
        assertThat(now.reservoir().targetReady()).isEqualTo(2);
        assertThat(now.reservoir().lifetime()).isEqualTo(Duration.ofMinutes(20));
        assertThat(now.maxConnections()).isEqualTo(500);
        assertThat(FleetPlan.of(Profile.over(settings("leases", "local")))).isNull();
    }

    @Test
    void theLeaseIsATableInTheClustersRegionAndTheLimitTheClusters() {
        environment.put(DsqlEnvironment.LEASE_ENABLED, "true");
        environment.put(DsqlEnvironment.LEASE_TABLE, "slots");
        Settings effective = Profile.over(settings("poolName", "orders"));
        assertThat(effective.text(Setting.LEASES)).isEqualTo("dynamodb:slots?region=eu-west-1");
        assertThat(effective.number(Setting.FLEET_LIMIT)).isEqualTo(10_000);
        FleetPlan plan = FleetPlan.of(effective);
        assertThat(plan).isNotNull();
        assertThat(plan.limit()).isEqualTo(CLUSTER); // whatever the pool is called: the cluster has the limit
        environment.put(DsqlEnvironment.CONN_LIMIT, "2500");
        assertThat(bucket(true).maxConnections()).isEqualTo(2500);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DSQL_RESERVOIR_ENABLED|maybe|set true or false",
                "DSQL_RESERVOIR_TARGET_READY|many|set a whole number, 0 or more",
                "DSQL_RESERVOIR_TARGET_READY|11|set 0 to maximumPoolSize, which is 10",
                "DSQL_RESERVOIR_LOW_WATERMARK|-1|set a whole number, 0 or more",
                "DSQL_RESERVOIR_BASE_LIFETIME|11|set a duration such as 11m, 1m30s or 45s",
                "DSQL_RESERVOIR_BASE_LIFETIME|0|set a duration such as 11m",
                "DSQL_RESERVOIR_LIFETIME_JITTER|soon|set a duration",
                "DSQL_RESERVOIR_GUARD_WINDOW|1.5m|set a duration",
                "DSQL_DISTRIBUTED_CONN_LEASE_ENABLED|yes|set true or false",
                "DSQL_DISTRIBUTED_CONN_LIMIT|0|set a whole number, 1 or more",
                "DSQL_DISTRIBUTED_CONN_LIMIT|5|set at least maximumPoolSize, which is 10"
            })
    void aWrongValueNamesTheVariableTheValueAndTheFix(String variable, String value, String fix) {
        environment.put(DsqlEnvironment.RESERVOIR_ENABLED, "true");
        environment.put(DsqlEnvironment.LEASE_ENABLED, "true");
        environment.put(DsqlEnvironment.LEASE_TABLE, "slots");
        environment.put(variable, value);
        assertThatThrownBy(() -> bucket(true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(variable + " is \"" + value + "\": " + fix);
    }

    @Test
    void aLifetimeThatIsTooLongNamesTheVariablesItComesFrom() {
        environment.put(DsqlEnvironment.RESERVOIR_ENABLED, "true");
        environment.put(DsqlEnvironment.BASE_LIFETIME, "53m");
        assertThatThrownBy(() -> bucket(false))
                .hasMessageStartingWith(
                        "DSQL_RESERVOIR_BASE_LIFETIME + DSQL_RESERVOIR_LIFETIME_JITTER is \"3300000ms\"");
    }

    @Test
    void aLeaseWithoutATableOrWithAWrongOneNamesTheVariable() {
        environment.put(DsqlEnvironment.LEASE_ENABLED, "true");
        assertThatThrownBy(() -> Profile.over(settings()))
                .hasMessage("DSQL_DISTRIBUTED_CONN_LEASE_TABLE is not set: set the name of a DynamoDB table, or"
                        + " DSQL_DISTRIBUTED_CONN_LEASE_ENABLED to false");
        environment.put(DsqlEnvironment.LEASE_TABLE, "a/b");
        assertThatThrownBy(() -> FleetPlan.of(Profile.over(settings())))
                .hasMessageStartingWith(
                        "DSQL_DISTRIBUTED_CONN_LEASE_TABLE is \"dynamodb:a/b?region=eu-west-1\": 'a/b' is no");
    }

    @Test
    void poolsToOtherServersDoNotReadTheVariables() {
        environment.put(DsqlEnvironment.RESERVOIR_ENABLED, "nonsense");
        assertThat(bucket(false, "jdbcUrl", "jdbc:h2:mem:x").reservoir().targetReady())
                .isZero();
    }

    @Test
    void withoutTheArtifactThatSignsTokensAPasswordIsNeeded() {
        assertThatThrownBy(() -> Plan.credentials(Profile.over(settings())))
                .hasMessageContaining("add the artifact dev.comporta:comporta-jdbc-dsql");
        assertThat(Plan.credentials(Profile.over(settings("password", "p")))).isNotNull();
    }
}

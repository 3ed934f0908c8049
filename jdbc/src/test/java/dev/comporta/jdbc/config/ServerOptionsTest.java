package dev.comporta.jdbc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerOptionsTest {
    /** Options as {@code name=value, name=value}. */
    private static Settings settings(String options) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String option : options.split(", ", -1)) {
            String[] parts = option.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        Settings settings = new Settings();
        ServerOptions.apply(all, settings);
        return settings;
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            wrapper=postgresql_fdw, host=db.example.com, port=5432, dbname=production => jdbc:postgresql://db.example.com:5432/production
            wrapper=postgres_fdw, host=db, dbname=a b/c?d                             => jdbc:postgresql://db/a%20b%2Fc%3Fd
            wrapper=POSTGRESQL, host=::1, port=5433                                   => jdbc:postgresql://[::1]:5433/
            wrapper=mysql_fdw, host=db, port=3306, database=shop                      => jdbc:mysql://db:3306/shop
            wrapper=mariadb_fdw, host=db, dbname=shop                                 => jdbc:mariadb://db/shop
            wrapper=mssql_fdw, host=db, port=1433, dbname=Orders                      => jdbc:sqlserver://db:1433;databaseName=Orders
            wrapper=tds_fdw, host=db, dbname=a;user=x}                                => jdbc:sqlserver://db;databaseName={a;user=x}}}
            wrapper=sqlserver_fdw, host=db                                            => jdbc:sqlserver://db
            wrapper=firebird_fdw, host=db, port=3050, dbname=/data/emp.fdb            => jdbc:firebirdsql://db:3050//data/emp.fdb
            wrapper=h2_fdw, host=db, port=9092, dbname=./x                            => jdbc:h2:tcp://db:9092/./x
            wrapper=h2_fdw, dbname=mem:x                                              => jdbc:h2:mem:x
            wrapper=postgresql_fdw, jdbcUrl=jdbc:postgresql:orders                    => jdbc:postgresql:orders
            wrapper=jdbc_fdw, jdbc_url=jdbc:other:x                                   => jdbc:other:x
            """)
    void wrapperHostPortAndDatabaseMakeTheUrl(String options, String url) {
        assertThat(settings(options).text(Setting.JDBC_URL)).isEqualTo(url);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            wrapper=postgre_fdw, host=db               => there is no wrapper postgre_fdw: did you mean postgres_fdw?
            wrapper=oracle_fdw, host=db                => there is no wrapper oracle_fdw: use one of postgresql_fdw, postgres_fdw,
            wrapper=postgresql_fdw                     => host is not set
            wrapper=postgresql_fdw, host=a?ssl=off     => host is "a?ssl=off": set one host name or address
            wrapper=postgresql_fdw, host=a/b           => host is "a/b"
            wrapper=postgresql_fdw, host=a, port=70000 => port is "70000": set a number from 1 to 65535
            wrapper=postgresql_fdw, host=a, port=x     => port is "x"
            wrapper=firebird_fdw, host=a               => dbname is not set
            wrapper=h2_fdw, dbname=mem:x;INIT=RUN      => dbname is "mem:x;INIT=RUN": it can't have
            wrapper=h2_fdw, port=9092, dbname=x        => port is set and host is not
            wrapper=jdbc_fdw, host=a                   => wrapper jdbc_fdw needs jdbcUrl
            wrapper=mysql_fdw, jdbcUrl=jdbc:h2:mem:x   => wrapper is mysql_fdw, and jdbcUrl is for h2
            host=a, port=5432                          => don't say which kind of database it is
            jdbcUrl=jdbc:h2:mem:x, host=a              => jdbcUrl is set, and so is one of host, port and dbname
            url=jdbc:h2:mem:x, jdbc_url=jdbc:h2:mem:x  => jdbcUrl is set twice, under two names
            max_conections=3                           => there is no setting max_conections: did you mean max_connections?
            minConections=3                            => there is no setting minConections: did you mean minConnections?
            prot=5432                                  => there is no setting prot: did you mean port?
            zzz_zzz_zzz_zzz=1                          => properties of the driver are dataSource.NAME
            collect_statistics=perhaps                 => collectStatistics is "perhaps": set true or false
            """)
    void aWrongOptionIsAnErrorThatSaysWhatToDo(String options, String error) {
        assertThatThrownBy(() -> settings(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(error);
    }

    /** Every option that a pool has in the user's specification of CREATE SERVER, none of them at its default. */
    @Test
    void everyNameOfAPoolsOptionsIsUnderstoodAndPlainNumbersAreMilliseconds() {
        Settings s = settings("jdbcUrl=jdbc:h2:mem:x, min_connections=2, max_connections=20, connect_timeout=4000,"
                + " query_timeout=2500, acquire_timeout=6000, idle_timeout=200000, max_lifetime=1200000,"
                + " enable_health_check=true, health_check_interval=20000, health_check_type=FULL_VALIDATE,"
                + " health_check_query=SELECT 2, reset_on_release=true, validate_on_acquire=true,"
                + " validate_on_release=true, validation_interval_seconds=15, warmup_on_create=true,"
                + " warmup_connections=3, collect_statistics=true, collect_query_stats=true,"
                + " datasource.ApplicationName=x");
        BucketSettings bucket = Plan.bucket(s, false);
        assertThat(bucket.minIdle()).isEqualTo(2);
        assertThat(bucket.maxConnections()).isEqualTo(20);
        assertThat(bucket.connectionTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(bucket.maxIdleTime()).isEqualTo(Duration.ofSeconds(200));
        assertThat(bucket.health().interval()).isEqualTo(Duration.ofSeconds(20));
        assertThat(bucket.health().check()).isEqualTo(HealthSettings.Check.FULL);
        assertThat(bucket.resetOnRelease()).isTrue();
        assertThat(bucket.validation().onAcquire()).isTrue();
        assertThat(bucket.validation().onRelease()).isTrue();
        assertThat(s.time(Setting.VALIDATION_INTERVAL)).isEqualTo(Duration.ofSeconds(15));
        assertThat(s.time(Setting.CONNECTION_TIMEOUT)).isEqualTo(Duration.ofSeconds(6));
        assertThat(s.time(Setting.MAX_LIFETIME)).isEqualTo(Duration.ofMinutes(20));
        assertThat(s.text(Setting.CONNECTION_TEST_QUERY)).isEqualTo("SELECT 2");
        assertThat(Plan.warmUp(s, bucket)).isEqualTo(3);
        assertThat(s.driverProperties()).containsEntry("ApplicationName", "x");
        Opener opener = Plan.opener(s, Credentials.of(null, null), LossRule.NONE);
        assertThat(opener.statements().timeoutSeconds()).isEqualTo(3);
        assertThat(opener.statements().times()).isNotNull();
    }

    @Test
    void healthChecksAndWarmUpCanBeSwitchedOff() {
        Settings s = settings("enable_health_check=false, health_check_interval=20000, warmup_on_create=false,"
                + " warmup_connections=3");
        assertThat(Plan.bucket(s, false).health().interval()).isZero();
        assertThat(Plan.warmUp(s, Plan.bucket(s, false))).isZero();
        Settings tooMany = settings("max_connections=2, warmup_connections=3");
        assertThatThrownBy(() -> Plan.warmUp(tooMany, Plan.bucket(tooMany, false)))
                .hasMessageContaining("warmupConnections is \"3\": set 0 to maximumPoolSize, which is 2");
    }
}

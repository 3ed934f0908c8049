package dev.comporta.jdbc.dsql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.ComportaDataSource;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From the URL to what the driver is given. */
class DsqlDataSourceTest {
    private static final String HOST = "weabcdefghijklmnopqrstuvwx.dsql.eu-west-1.on.aws";

    /** A server that turns everybody away, and remembers who came. */
    public static final class TurnsAway implements Driver {
        static final List<Properties> LOGINS = new CopyOnWriteArrayList<>();

        @Override
        public Connection connect(String url, Properties info) throws SQLException {
            LOGINS.add(info);
            throw new SQLException("access denied", "28000");
        }

        @Override
        public boolean acceptsURL(String url) {
            return true;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    @BeforeEach
    void setCredentials() {
        System.setProperty("aws.accessKeyId", "AKIDEXAMPLE");
        System.setProperty("aws.secretAccessKey", "secret");
        TurnsAway.LOGINS.clear();
    }

    @AfterEach
    void clearCredentials() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    @Test
    void theUrlAndTheUserAreEnoughForATokenOverVerifiedTls() {
        try (ComportaDataSource pool = new ComportaDataSource()) {
            pool.setJdbcUrl("jdbc:postgresql://" + HOST + "/postgres");
            pool.setUsername("app");
            pool.setDriverClassName(TurnsAway.class.getName());
            pool.setConnectionTimeout(Duration.ofMinutes(2));
            assertThatThrownBy(pool::getConnection)
                    .hasMessageContaining("rejects the login of app")
                    .hasMessageContaining("access denied");
        }
        Properties login = TurnsAway.LOGINS.getFirst();
        assertThat(login)
                .containsEntry("user", "app")
                .containsEntry("sslmode", "verify-full")
                .containsEntry("sslNegotiation", "direct")
                .containsEntry("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory")
                .containsEntry("autosave", "never");
        assertThat(login.getProperty("password"))
                .startsWith(HOST + "/?Action=DbConnect&")
                .contains("X-Amz-Expires=900", "X-Amz-Credential=AKIDEXAMPLE%2F", "%2Feu-west-1%2Fdsql%2Faws4_request");
    }
}

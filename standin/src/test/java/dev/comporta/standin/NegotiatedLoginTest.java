package dev.comporta.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.sqlserver.jdbc.SQLServerAccessTokenCallback;
import com.microsoft.sqlserver.jdbc.SQLServerDataSource;
import com.microsoft.sqlserver.jdbc.SqlAuthenticationToken;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Windows and Entra logins of third-party drivers. */
class NegotiatedLoginTest {
    private static final String TOKEN = "a token that somebody signed";

    @Test
    void mssqlJdbcProvesItsPasswordByNtlm() throws Exception {
        try (Standin standin = start();
                Connection connection = DriverManager.getConnection(ntlm(standin, "Secret-2"))) {
            assertThat(user(connection)).isEqualTo("CORP\\ana");
        }
    }

    @Test
    void jtdsProvesItsPasswordByNtlm() throws Exception {
        try (Standin standin = start();
                Connection connection = DriverManager.getConnection(
                        "jdbc:jtds:sqlserver://127.0.0.1:" + standin.port() + "/AppDB;domain=CORP;useNTLMv2=true",
                        "ana",
                        "Secret-2")) {
            assertThat(user(connection)).isEqualTo("CORP\\ana");
        }
    }

    @Test
    void aWrongPasswordIsNotProved() throws Exception {
        try (Standin standin = start()) {
            assertThatThrownBy(() -> DriverManager.getConnection(ntlm(standin, "Secret-3")))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(18456));
            assertThat(standin.counters().failedLogins()).isEqualTo(1);
        }
    }

    @Test
    void aTokenInTheLoginLetsItsUserIn() throws Exception {
        try (Standin standin = start()) {
            SQLServerDataSource source = source(standin);
            source.setAccessToken(TOKEN);
            try (Connection connection = source.getConnection()) {
                assertThat(user(connection)).isEqualTo("ana@corp");
            }
            source.setAccessToken("another");
            assertThatThrownBy(source::getConnection)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(18456));
        }
    }

    @Test
    void aClientIsToldWhereToGetItsToken() throws Exception {
        try (Standin standin = start()) {
            SQLServerDataSource source = source(standin);
            List<String> places = new CopyOnWriteArrayList<>();
            source.setAccessTokenCallback(new SQLServerAccessTokenCallback() {
                @Override
                public SqlAuthenticationToken getAccessToken(String spn, String stsUrl) {
                    places.add(spn + " at " + stsUrl);
                    return new SqlAuthenticationToken(
                            TOKEN, Date.from(Instant.now().plusSeconds(3600)));
                }
            });
            try (Connection connection = source.getConnection()) {
                assertThat(user(connection)).isEqualTo("ana@corp");
            }
            assertThat(places).containsExactly("https://standin.invalid/ at https://login.standin.invalid/common");
        }
    }

    private static Standin start() throws IOException {
        return Standin.builder()
                .database("AppDB")
                .login("sa", "Secret-1")
                .windowsLogin("CORP\\ana", "Secret-2")
                .accessToken(TOKEN, "ana@corp")
                .start();
    }

    private static String ntlm(Standin standin, String password) {
        return "jdbc:sqlserver://127.0.0.1:" + standin.port()
                + ";databaseName=AppDB;encrypt=false;integratedSecurity=true;authenticationScheme=NTLM;domain=CORP;user=ana"
                + ";password=" + password;
    }

    private static SQLServerDataSource source(Standin standin) {
        SQLServerDataSource source = new SQLServerDataSource();
        source.setServerName("127.0.0.1");
        source.setPortNumber(standin.port());
        source.setDatabaseName("AppDB");
        source.setEncrypt("true");
        source.setTrustServerCertificate(true);
        source.setConnectRetryCount(0);
        return source;
    }

    private static String user(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUSER_SNAME()")) {
            rows.next();
            return rows.getString(1);
        }
    }
}

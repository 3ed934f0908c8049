package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.login.Encryption.Policy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Third-party drivers, with every encryption that they and a server can agree on. */
class DriverLoginTest {
    @ParameterizedTest
    @CsvSource({
        "NOT_SUPPORTED, encrypt=false",
        "OPTIONAL, encrypt=false",
        "OPTIONAL, encrypt=true",
        "OPTIONAL, encrypt=strict",
        "REQUIRED, encrypt=false",
        "REQUIRED, encrypt=true",
        "REQUIRED, encrypt=strict",
        "OPTIONAL, encrypt=false;packetSize=512",
        "OPTIONAL, encrypt=true;packetSize=32767",
    })
    void mssqlJdbcLogsInAndSelects(Policy policy, String options) throws Exception {
        try (ScriptedServer server = new ScriptedServer(policy);
                Connection connection = DriverManager.getConnection(server.jdbcUrl(options))) {
            assertThat(selectRows(connection, 1)).isEqualTo(1);
            assertThat(selectRows(connection, 3000)).isEqualTo(3000);
            assertThat(connection.getCatalog()).isEqualTo("AppDB");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_SUPPORTED, ssl=off",
        "OPTIONAL, ssl=off",
        "OPTIONAL, ssl=request",
        "OPTIONAL, ssl=require",
        "REQUIRED, ssl=request",
        "OPTIONAL, packetSize=512",
    })
    void jtdsLogsInAndSelects(Policy policy, String options) throws Exception {
        try (ScriptedServer server = new ScriptedServer(policy);
                Connection connection = DriverManager.getConnection(server.jtdsUrl(options))) {
            assertThat(selectRows(connection, 1)).isEqualTo(1);
            assertThat(selectRows(connection, 3000)).isEqualTo(3000);
        }
    }

    @ParameterizedTest
    @CsvSource({"NOT_SUPPORTED, encrypt=true", "NOT_SUPPORTED, encrypt=strict"})
    void clientThatDemandsEncryptionIsNotServedWithoutIt(Policy policy, String options) throws Exception {
        try (ScriptedServer server = new ScriptedServer(policy)) {
            assertThatThrownBy(() -> DriverManager.getConnection(
                            server.jdbcUrl(options + ";connectRetryCount=0;loginTimeout=5")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("could not establish a secure connection");
            assertThat(server.sessions).isEmpty();
        }
    }

    private static int selectRows(Connection connection, int rows) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("rows " + rows)) {
            int count = 0;
            while (result.next()) {
                count++;
                assertThat(result.getInt(1)).isEqualTo(count);
                assertThat(result.getString(2)).isEqualTo(count % 3 == 0 ? null : "row " + count);
            }
            return count;
        }
    }
}

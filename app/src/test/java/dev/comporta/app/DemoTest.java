package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Misbehaviour;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DemoTest {
    private static final Pattern JDBC_URL = Pattern.compile("jdbc:sqlserver:\\S+");

    @Test
    void theUrlItPrintsLeadsToTheSampleDatabase() throws Exception {
        try (Demo demo = Demo.start(0, Misbehaviour.NONE)) {
            Matcher url = JDBC_URL.matcher(demo.description());
            assertThat(url.find()).isTrue();
            try (Connection connection = DriverManager.getConnection(url.group());
                    ResultSet count = connection.createStatement().executeQuery("SELECT COUNT(*) FROM customers")) {
                count.next();
                assertThat(count.getInt(1)).isPositive();
            }
        }
    }

    @Test
    void aTakenPortIsSaidAndTheNextFreeOneUsed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Demo demo = Demo.start(taken.getLocalPort(), Misbehaviour.NONE)) {
            assertThat(demo.port()).isGreaterThan(taken.getLocalPort());
            assertThat(demo.description())
                    .startsWith("Port " + taken.getLocalPort() + " is taken, so it is " + demo.port() + " instead.");
        }
    }

    @Test
    void anUnknownMisbehaviourIsRefusedWithTheWordsThereAre() {
        StringWriter errors = new StringWriter();
        int exitCode = Main.commandLine().setErr(new PrintWriter(errors)).execute("demo", "--misbehave", "lazy");

        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString()).contains("'lazy' is no misbehaviour").contains("refuse-logins");
    }
}

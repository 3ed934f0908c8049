package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.command.AdminCommand;
import dev.comporta.testkit.ClosedPort;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.tls.SelfSignedCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.sql.Connection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code comporta admin}, against a real instance and what may be in its place. */
@Timeout(60)
class AdminCommandTest {
    private static final String TOKEN = "a-token-of-tests-0123456789";

    @TempDir
    private static Path directory;

    private static RunningProxy running;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String token = TOKEN;
    private InputStream input = InputStream.nullInputStream();

    @BeforeAll
    static void start() throws IOException {
        running = RunningProxy.start(
                directory, "instance_id: one, admin: {token: " + TOKEN + "}", "encrypt: off, max_connections: 2");
    }

    @AfterAll
    static void stop() {
        running.close();
    }

    private static String address() {
        return "127.0.0.1:" + running.instance.healthPort();
    }

    private int admin(String... arguments) {
        return new CommandLine(new AdminCommand(name -> name.equals("COMPORTA_ADMIN_TOKEN") ? token : null, input))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int ask(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--address";
        all[1] = address();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return admin(all);
    }

    private List<String> printed() {
        return out.toString().lines().toList();
    }

    @Test
    void rowsAreAlignedInColumnsNumbersToTheRight() {
        assertThat(ask("SELECT 'a' AS name, 5 AS n, 0.5 AS share UNION ALL SELECT 'longer', 1234, NULL"))
                .isZero();
        assertThat(printed())
                .containsExactly(
                        "name       n  share", //
                        "------  ----  -----",
                        "a          5  0.500",
                        "longer  1234   NULL",
                        "(2 rows)");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void wordsNeedNoQuotes() {
        assertThat(ask("SHOW", "POOLS")).isZero();
        assertThat(printed()).hasSize(4);
        assertThat(printed().get(0)).startsWith("server_name  db_type");
        assertThat(printed().get(2)).startsWith("one          mssql");
    }

    @Test
    void resultsAndMessagesOfOneTextAreAllPrinted() {
        assertThat(ask("SELECT 1 AS a; SELECT 2 AS b; RECONNECT one")).isZero();
        assertThat(printed()).startsWith("a", "-", "1", "(1 row)", "", "b", "-", "2", "(1 row)");
        assertThat(printed().getLast()).contains("one");
    }

    @Test
    void csvQuotesWhatNeedsItAndLeavesNullEmpty() {
        assertThat(ask("--format", "csv", "SELECT 'a,b' AS x, 'say \"hi\"' AS y, NULL AS z, 1.5 AS n"))
                .isZero();
        assertThat(printed()).containsExactly("x,y,z,n", "\"a,b\",\"say \"\"hi\"\"\",,1.5");
    }

    @Test
    void jsonIsWhatTheApiAnswered() {
        assertThat(ask("--format=json", "SELECT 1 AS a")).isZero();
        assertThat(out.toString().strip())
                .isEqualTo(
                        "{\"results\":[{\"columns\":[{\"name\":\"a\",\"type\":\"INT\"}],\"rows\":[[1]]}],\"messages\":[]}");
    }

    @Test
    void aTextCanComeFromStandardInput() {
        input = new ByteArrayInputStream("SELECT 1 AS a,\n  2 AS b\n".getBytes(StandardCharsets.UTF_8));
        assertThat(ask("--format", "csv", "-")).isZero();
        assertThat(printed()).containsExactly("a,b", "1,2");
    }

    @Test
    void anErrorIsShownWhereItIsAndEndsWithOne() {
        input = new ByteArrayInputStream("RECONNECT one;\nSELECT * FROM sys.pool".getBytes(StandardCharsets.UTF_8));
        assertThat(ask("-")).isEqualTo(1);
        assertThat(printed()).singleElement().matches(message -> message.contains("one")); // it has run
        List<String> said = err.toString().lines().toList();
        assertThat(said.get(0)).isEqualTo("SELECT * FROM sys.pool");
        assertThat(said.get(1)).isEqualTo("              ^");
        assertThat(said.get(2)).startsWith("error 208 (line 2, column 15): ");
    }

    @Test
    void whatClientsSentCantMoveTheCursor() throws Exception {
        try (Connection client = Jdbc.mssql(
                running.proxy.port(),
                "user=sa;password=" + RunningProxy.PASSWORD + ";applicationName=" + "evil\u001b[2J\u0007name")) {
            assertThat(Jdbc.ask(client, "SELECT 1")).isEqualTo("1");
            String query = "SELECT application FROM sys.clients WHERE application LIKE 'evil%'";
            assertThat(ask(query)).isZero();
            assertThat(ask("--format", "csv", query)).isZero();
            assertThat(ask("--format", "json", query)).isZero();
        }
        assertThat(out.toString()).contains("evil\ufffd[2J\ufffdname").doesNotContain("\u001b", "\u0007");
    }

    @Test
    void aWrongTokenEndsWithThree() {
        token = "some-other-token";
        assertThat(ask("SHOW POOLS")).isEqualTo(3);
        assertThat(err.toString()).contains(address() + ": answered 401: ");
    }

    @Test
    void anInstanceThatIsNotThereEndsWithThree() throws IOException {
        try (ClosedPort nobody = new ClosedPort()) {
            assertThat(admin("--address", nobody.address(), "SHOW POOLS")).isEqualTo(3);
            assertThat(err.toString().strip()).isEqualTo("comporta: " + nobody.address() + ": connection refused");
        }
    }

    @Test
    void anApiThatIsClosedSaysWhy() throws IOException {
        try (CannedApi closed =
                CannedApi.saying(404, "{\"error\":{\"message\":\"Set proxy.admin.token to open it.\"}}")) {
            assertThat(admin("--address", closed.address(), "SHOW POOLS")).isEqualTo(3);
        }
        assertThat(err.toString()).contains("answered 404: Set proxy.admin.token to open it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "{\"results\":5}", "[]", "\u001b[2J"})
    void anAnswerOfSomethingElseIsNoResult(String body) throws IOException {
        try (CannedApi other = CannedApi.saying(200, body)) {
            assertThat(admin("--address", other.address(), "SHOW POOLS")).isEqualTo(3);
        }
        assertThat(err.toString())
                .contains("answered 200, not as an admin API does")
                .doesNotContain("\u001b");
    }

    @Test
    void theTokenCanComeFromAFile() throws IOException {
        token = null;
        Path file = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        assertThat(ask("--token-file", file.toString(), "SELECT 1 AS a")).isZero();
    }

    @Test
    void whatIsMissingOrMisspeltEndsWithTwo() throws IOException {
        assertThat(admin()).isEqualTo(2);
        assertThat(admin("--address", "ftp://somewhere", "SHOW POOLS")).isEqualTo(2);
        assertThat(admin("--format", "xml", "SHOW POOLS")).isEqualTo(2);
        assertThat(admin("--insecure", "--ca", "some.pem", "SHOW POOLS")).isEqualTo(2);
        assertThat(admin("--ca", directory.resolve("nothing.pem").toString(), "SHOW POOLS"))
                .isEqualTo(2);
        Path token = Files.writeString(directory.resolve("lines"), "two\nlines");
        assertThat(admin("--token-file", token.toString(), "SHOW POOLS")).isEqualTo(2);
        this.token = null;
        assertThat(ask("SHOW POOLS")).isEqualTo(2);
        assertThat(err.toString()).contains("no token: name a file with --token-file, or set COMPORTA_ADMIN_TOKEN.");
    }

    @Test
    void anEncryptedApiIsTrustedByItsCertificateOnly() throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.generate("proxy", List.of("127.0.0.1"));
        SelfSignedCertificate another = SelfSignedCertificate.generate("proxy", List.of("127.0.0.1"));
        Path ca = KeyFiles.write(directory, "own", own).certificate();
        Path wrong = KeyFiles.write(directory, "another", another).certificate();
        try (CannedApi secure = CannedApi.encrypted(serverContext(own), "{\"results\":[],\"messages\":[]}")) {
            String address = "https://" + secure.address();
            assertThat(admin("--address", address, "--ca", ca.toString(), "SELECT 1 AS a"))
                    .isZero();
            assertThat(admin("--address", address, "--insecure", "SELECT 1 AS a"))
                    .isZero();
            assertThat(err.toString()).isEmpty();
            assertThat(admin("--address", address, "SELECT 1 AS a")).isEqualTo(3);
            assertThat(admin("--address", address, "--ca", wrong.toString(), "SELECT 1 AS a"))
                    .isEqualTo(3);
            assertThat(err.toString()).contains("TLS: ", "--ca FILE");
        }
    }

    @Test
    void nothingOfTheProxyIsLoadedForIt() throws Exception {
        Path loaded = directory.resolve("loaded");
        ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:file=" + loaded,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "admin",
                        "--address",
                        address(),
                        "SELECT 1 AS a")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile());
        command.environment().put("COMPORTA_ADMIN_TOKEN", TOKEN);
        assertThat(command.start().waitFor()).isZero();
        assertThat(Files.readString(loaded))
                .contains("dev.comporta.app.command.AdminCommand")
                .doesNotContain(" io.netty.", " dev.comporta.proxy.", " dev.comporta.standin.", " ch.qos.logback.");
    }

    private static SSLContext serverContext(SelfSignedCertificate own) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        PrivateKey key = own.key();
        store.setKeyEntry("key", key, new char[0], new Certificate[] {own.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}

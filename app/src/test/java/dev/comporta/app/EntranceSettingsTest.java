package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.testkit.RawClient;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the files say of who may come in. */
@Timeout(60)
class EntranceSettingsTest {
    private static final InetAddress BALANCER = InetAddress.ofLiteral("127.0.0.77");
    private static final String BUCKET = "max_connections: 3, trust_server_certificate: true";
    private static final int NO_ROUTE = 50_002;

    @TempDir
    private Path directory;

    @Test
    void clientBehindALoadBalancerIsShownByItsOwnAddressAndOthersAreCountedAsRefused() throws Exception {
        String settings = "proxy_protocol: required, trusted_proxies: [127.0.0.77, \"::1\"], deny: 198.51.100.66";
        try (RunningProxy running = RunningProxy.start(directory, settings, BUCKET);
                RawClient client = RawClient.from(BALANCER, running.proxy.port());
                RawClient denied = RawClient.from(BALANCER, running.proxy.port());
                RawClient stranger = new RawClient(running.proxy.port())) {
            client.raw("PROXY TCP6 2001:db8::5 2001:db8::7 33333 1433\r\n".getBytes(StandardCharsets.US_ASCII));
            client.sendLogin();
            client.response();
            denied.raw("PROXY TCP4 198.51.100.66 203.0.113.7 33333 1433\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(denied.isHungUpOn()).isTrue();
            assertThat(stranger.isHungUpOn()).isTrue();
            ConsoleClient console = new ConsoleClient(running.instance);
            assertThat(console.ask("SELECT address FROM sys.clients")).isEqualTo("[2001:db8::5]:33333");
            String metrics =
                    Http.get(running.instance.metricsPort(), "/metrics").body();
            assertThat(metrics)
                    .contains("proxy_connections_refused_total{reason=\"denied\"} 1.0")
                    .contains("proxy_connections_refused_total{reason=\"untrusted_source\"} 1.0")
                    .contains("proxy_connections_refused_total{reason=\"bad_proxy_header\"} 0.0");
        }
    }

    @Test
    void refusedLoginIsListedWithTheClientsOwnAddress() throws Exception {
        String settings = "proxy_protocol: optional, trusted_proxies: 127.0.0.77";
        try (RunningProxy running = RunningProxy.start(directory, settings, BUCKET + ", deny: 198.51.100.0/24");
                RawClient client = RawClient.from(BALANCER, running.proxy.port())) {
            client.raw("PROXY TCP4 198.51.100.5 203.0.113.7 33333 1433\r\n".getBytes(StandardCharsets.US_ASCII));
            client.sendLogin();
            assertThat(client.errorNumber()).isEqualTo(NO_ROUTE);
            ConsoleClient console = new ConsoleClient(running.instance);
            assertThat(console.ask("SELECT client, message FROM sys.events WHERE bucket = 'one'"))
                    .startsWith("198.51.100.5|50002 ")
                    .contains("not allowed for bucket one");
        }
    }

    @Test
    void bucketsListsChangeWhileItRuns() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET);
                Connection before = running.connect()) {
            running.reload("", RunningProxy.bucket(running.server, "one", BUCKET + ", deny: 127.0.0.0/8"));
            await().untilAsserted(() -> assertThatThrownBy(
                            () -> running.connect().close())
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(NO_ROUTE)));
            assertThat(ask(before, "SELECT 1")).as("who is in stays").isEqualTo("1");
            running.reload("", RunningProxy.bucket(running.server, "one", BUCKET + ", allow: 127.0.0.1"));
            await().untilAsserted(() -> running.connect().close());
        }
    }
}

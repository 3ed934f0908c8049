package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.proxy.admit.Routing;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import dev.comporta.tds.login.Encryption;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy that listens while its key is still being made. */
@Timeout(120)
class LateCertificateTest {
    private final CompletableFuture<TlsContexts> made = new CompletableFuture<>();

    @Test
    void clientsWithoutTlsAreServedAndOthersWaitForTheCertificate() throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login(RawClient.USER, RawClient.PASSWORD)
                        .start();
                Proxy proxy = start(server);
                CuttableRelay toWrapped = relay(proxy);
                CuttableRelay toStrict = relay(proxy)) {
            FutureTask<String> wrapped = inBackground(() -> {
                try (Connection client = Jdbc.mssql(
                        toWrapped.port(), "user=sa;encrypt=true;loginTimeout=60;password=" + RawClient.PASSWORD)) {
                    return Jdbc.ask(client, "SELECT 1");
                }
            });
            FutureTask<List<String>> strict = inBackground(() -> {
                try (RawClient client = RawClient.loggedInByTls(toStrict.port())) {
                    return client.answerTo("SELECT 2");
                }
            });
            await().until(() -> toWrapped.fromClients() > 0 && toStrict.fromClients() > 0);
            // The loop reads what they sent before it has served clients that come later.
            for (int i = 0; i < 5; i++) {
                try (RawClient plain = RawClient.loggedIn(proxy.port())) {
                    assertThat(plain.answerTo("SELECT 3")).contains("ROW [3]");
                }
            }
            assertThat(wrapped.isDone()).isFalse();
            assertThat(strict.isDone()).isFalse();

            SelfSignedCertificate certificate = SelfSignedCertificate.generate("late", List.of("localhost"));
            made.complete(TlsContexts.server(certificate.key(), certificate.certificate()));
            assertThat(wrapped.get(60, TimeUnit.SECONDS)).isEqualTo("1");
            assertThat(strict.get(60, TimeUnit.SECONDS)).contains("ROW [2]");
        }
    }

    private Proxy start(Standin server) throws Exception {
        BucketSpec bucket = ProxyFixture.bucket(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                BucketSpec.PoolMode.TRANSACTION,
                BucketSpec.TransactionTracking.AUTO,
                ClientLimits.NONE,
                (BucketSettings.Builder settings) -> settings.maxConnections(3).minIdle(0));
        return Proxy.start(
                new Proxy.Settings(
                        List.of(new Proxy.ListenAddress(
                                "main", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
                        1,
                        Transport.best(),
                        false,
                        // Who asks too early fails: there is no result yet.
                        new ClientTls(Encryption.Policy.OPTIONAL, made::resultNow, made),
                        Duration.ofSeconds(60),
                        SocketLimits.DEFAULTS),
                List.of(bucket),
                (_, _) -> new Routing.Destination.Bucket(bucket.id()));
    }

    private static CuttableRelay relay(Proxy proxy) throws IOException {
        return new CuttableRelay(InetAddress.getLoopbackAddress(), 0, proxy.port());
    }

    private static <T> FutureTask<T> inBackground(Callable<T> client) {
        FutureTask<T> task = new FutureTask<>(client);
        Thread.ofVirtual().start(task);
        return task;
    }
}

package dev.comporta.bench.load;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.admit.Routing;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.session.ProcedureRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** The measured proxy: one bucket in transaction mode, on one event loop. */
final class BenchProxy {
    private BenchProxy() {}

    /** @param port the port to listen on; 0 means any free one */
    static Proxy start(Transport transport, int port, ClientTls tls, int serverPort, int limit) throws IOException {
        BucketSpec bucket = new BucketSpec(
                "bench",
                new ServerDial("127.0.0.1", serverPort, ServerDial.Mode.OFF, null),
                "",
                BucketSpec.PoolMode.TRANSACTION,
                BucketSpec.TransactionTracking.ENVCHANGE,
                false,
                BucketSpec.PreparedStatements.SHARE,
                ProcedureRules.SHARE,
                new BucketSpec.Authentication.Passthrough(null),
                Duration.ofMinutes(5),
                ClientLimits.NONE,
                "SELECT 1",
                BucketSettings.DEFAULTS
                        .but()
                        .maxConnections(limit)
                        // Every client of the largest run may wait, and none is refused.
                        .queue(new QueueSettings(Duration.ofSeconds(60), 10_000))
                        .build(),
                new BucketSpec.SessionIdentity.Pool("comporta"),
                BucketSpec.EntryRules.DEFAULTS);
        return Proxy.start(
                new Proxy.Settings(
                        List.of(new Proxy.ListenAddress(
                                "main", new InetSocketAddress(InetAddress.getLoopbackAddress(), port))),
                        1,
                        transport,
                        false,
                        tls,
                        Duration.ofSeconds(30),
                        SocketLimits.DEFAULTS),
                List.of(bucket),
                (login, listener) -> new Routing.Destination.Bucket("bench"));
    }
}

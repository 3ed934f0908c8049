package dev.comporta.app;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.auth.AccountCommand;
import dev.comporta.ops.config.auth.AuthConfig;
import dev.comporta.ops.config.auth.LoginConfig;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.bucket.PoolSettings;
import dev.comporta.ops.config.bucket.ProcedureConfig;
import dev.comporta.ops.config.bucket.ServerTlsConfig;
import dev.comporta.ops.config.proxy.EntranceConfig;
import dev.comporta.ops.config.proxy.LimitConfig;
import dev.comporta.ops.config.proxy.PinAction;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.proxy.TcpConfig;
import dev.comporta.ops.config.proxy.TimeoutConfig;
import dev.comporta.ops.config.proxy.TransportChoice;
import dev.comporta.ops.config.proxy.TransportConfig;
import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.route.Route;
import dev.comporta.ops.route.Router;
import dev.comporta.ops.secret.PasswordCommand;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.secret.CurrentSecret;
import dev.comporta.pool.secret.SecretSource.Issued;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.admit.Routing;
import dev.comporta.proxy.listen.EntranceRules;
import dev.comporta.proxy.listen.KeepAlive;
import dev.comporta.proxy.listen.LoginLimits;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.BucketSpec.Authentication;
import dev.comporta.proxy.loop.BucketSpec.Credentials;
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.loop.BucketSpec.SessionIdentity;
import dev.comporta.proxy.origin.AddressRange;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.News;
import dev.comporta.tds.login.Secret;
import dev.comporta.tls.TlsContexts;
import dev.comporta.tls.TlsFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Converts the configuration to the data plane's settings. The two have separate types, so that neither depends on the other:
 * only this class knows both.
 */
final class Wiring {
    /** The maximum length in LOGIN7. */
    private static final int HOST_NAME_LENGTH = 128;

    private Wiring() {}

    /**
     * @param router called for each client
     * @param leases closed with the proxy
     * @param news receives events, on event loops
     */
    static Proxy start(
            Configuration configuration,
            ClientTls tls,
            Collection<BucketSpec> buckets,
            Supplier<Router> router,
            LeaseSource leases,
            News news)
            throws IOException {
        return Proxy.start(settings(configuration, tls), List.copyOf(buckets), routing(router), leases, news);
    }

    /** All buckets, by their ids. */
    static Map<String, BucketSpec> buckets(Configuration configuration) throws IOException {
        Map<String, BucketSpec> buckets = new TreeMap<>();
        for (BucketConfig bucket : configuration.buckets()) {
            buckets.put(bucket.id(), bucket(bucket, configuration.proxy()));
        }
        return buckets;
    }

    private static Proxy.Settings settings(Configuration configuration, ClientTls tls) throws IOException {
        ProxyConfig proxy = configuration.proxy();
        return new Proxy.Settings(
                proxy.listeners().stream()
                        .map(listener -> new Proxy.ListenAddress(
                                listener.name(),
                                new InetSocketAddress(listener.address(), listener.port()),
                                entrance(listener.entrance())))
                        .toList(),
                proxy.transport().eventLoops(),
                transport(proxy.transport()),
                proxy.transport().reusePort(),
                tls,
                proxy.timeouts().login(),
                limits(proxy, Descriptors.forClients(configuration.buckets())));
    }

    private static EntranceRules entrance(EntranceConfig entrance) {
        return new EntranceRules(
                switch (entrance.proxyProtocol()) {
                    case OFF -> EntranceRules.ProxyProtocol.OFF;
                    case OPTIONAL -> EntranceRules.ProxyProtocol.OPTIONAL;
                    case REQUIRED -> EntranceRules.ProxyProtocol.REQUIRED;
                },
                ranges(entrance.trustedProxies()),
                new AddressRules(ranges(entrance.allow()), ranges(entrance.deny())));
    }

    private static List<AddressRange> ranges(List<dev.comporta.ops.config.value.AddressRange> written) {
        return written.stream()
                .map(range -> new AddressRange(range.network(), range.prefix()))
                .toList();
    }

    private static SocketLimits limits(ProxyConfig proxy, int maxSockets) {
        LimitConfig limits = proxy.limits();
        TcpConfig tcp = proxy.tcp();
        return new SocketLimits(
                limits.maxClients(),
                limits.packetSize(),
                limits.loginSize(),
                limits.lowWatermark(),
                limits.highWatermark(),
                new LoginLimits(
                        limits.maxPendingLogins(),
                        limits.maxPendingLoginsPerAddress(),
                        limits.pendingLoginBytes().map(Integer::longValue).orElseGet(LoginLimits::defaultBytes),
                        limits.maxClientsPerAddress(),
                        limits.maxHandshakes()),
                maxSockets,
                new KeepAlive(tcp.keepaliveIdle(), tcp.keepaliveInterval(), tcp.keepaliveCount(), tcp.userTimeout()),
                tcp.closeTimeout());
    }

    private static Transport transport(TransportConfig settings) throws IOException {
        TransportChoice wanted = settings.transport();
        Transport transport = switch (wanted) {
            case AUTO -> Transport.best();
            case EPOLL -> Transport.EPOLL;
            case IO_URING -> Transport.IO_URING;
            case NIO -> Transport.NIO;
        };
        if (!transport.isAvailable()) {
            throw new IOException("transport %s is not available here (%s). Use auto or nio."
                    .formatted(wanted.name().toLowerCase(Locale.ROOT), transport.whyNotAvailable()));
        }
        if (settings.reusePort() && transport == Transport.NIO) {
            throw new IOException(
                    "proxy.reuse_port needs transport epoll or io_uring, and neither is available here (%s)."
                                    .formatted(Transport.EPOLL.whyNotAvailable())
                            + " Set reuse_port to false.");
        }
        return transport;
    }

    private static Routing routing(Supplier<Router> router) {
        return (login, listener) -> switch (router.get()
                .route(login.database(), login.serverName(), login.userName(), listener)) {
            case Route.To(String bucket, Route.Rule rule) -> new Routing.Destination.Bucket(bucket);
            case Route.None(String reason) -> new Routing.Destination.Nowhere(reason);
        };
    }

    static BucketSpec bucket(BucketConfig bucket, ProxyConfig proxy) throws IOException {
        return bucket(bucket, proxy, dial(bucket));
    }

    /** @param dial the dial of a running bucket, whose server addresses can't change */
    static BucketSpec bucket(BucketConfig bucket, ProxyConfig proxy, ServerDial dial) throws IOException {
        TimeoutConfig timeouts = proxy.timeouts();
        Optional<String> problem = HealthQuery.problem(bucket);
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        return new BucketSpec(
                bucket.id(),
                dial,
                bucket.database().orElse(""),
                switch (bucket.poolMode()) {
                    case TRANSACTION -> BucketSpec.PoolMode.TRANSACTION;
                    case SESSION -> BucketSpec.PoolMode.SESSION;
                },
                switch (bucket.transactionTracking()) {
                    case ENVCHANGE -> BucketSpec.TransactionTracking.ENVCHANGE;
                    case PROBE -> BucketSpec.TransactionTracking.PROBE;
                    case AUTO -> BucketSpec.TransactionTracking.AUTO;
                },
                bucket.pinIdentity(),
                switch (bucket.preparedStatements()) {
                    case SHARE -> BucketSpec.PreparedStatements.SHARE;
                    case PIN -> BucketSpec.PreparedStatements.PIN;
                },
                procedures(bucket.procedures()),
                authentication(bucket.id(), bucket.auth()),
                bucket.auth().credentialTtl(),
                new ClientLimits(
                        timeouts.idle(),
                        timeouts.session(),
                        timeouts.query(),
                        timeouts.idleInTransaction(),
                        timeouts.stalledRequest(),
                        timeouts.cancel(),
                        proxy.pins().maxTime(),
                        proxy.pins().action() == PinAction.CLOSE),
                bucket.health().query(),
                PoolSettings.of(bucket),
                identity(bucket, proxy),
                new EntryRules(
                        new AddressRules(
                                ranges(bucket.entry().allow()),
                                ranges(bucket.entry().deny())),
                        bucket.entry().maxFailedLogins(),
                        bucket.entry().failedLoginWindow()));
    }

    private static SessionIdentity identity(BucketConfig bucket, ProxyConfig proxy) {
        String instance = proxy.instanceId();
        return switch (bucket.sessionIdentity()) {
            case POOL -> new SessionIdentity.Pool(instance.substring(0, Math.min(instance.length(), HOST_NAME_LENGTH)));
            case CLIENT -> new SessionIdentity.Client();
        };
    }

    private static ProcedureRules procedures(ProcedureConfig procedures) {
        boolean byName = !procedures.pin().isEmpty() || !procedures.share().isEmpty();
        return byName
                ? ProcedureRules.of(procedures.pin(), procedures.share())
                : switch (procedures.others()) {
                    case SHARE -> ProcedureRules.SHARE;
                    case PIN -> ProcedureRules.PIN;
                };
    }

    private static ServerDial dial(BucketConfig bucket) throws IOException {
        ServerTlsConfig tls = bucket.tls();
        ServerDial.Mode mode = switch (tls.encrypt()) {
            case OFF -> ServerDial.Mode.OFF;
            case LOGIN -> ServerDial.Mode.LOGIN;
            case ON -> ServerDial.Mode.ON;
            case STRICT -> ServerDial.Mode.STRICT;
        };
        return new ServerDial(
                bucket.servers().stream()
                        .map(server -> new ServerDial.Server(
                                server.host(),
                                server.port(),
                                tls.hostNameInCertificate().orElse(server.host())))
                        .toList(),
                mode,
                mode == ServerDial.Mode.OFF ? null : trust(tls));
    }

    private static TlsContexts trust(ServerTlsConfig tls) throws IOException {
        List<String> ciphers = tls.ciphers().stream().map(Enum::name).toList();
        if (tls.trustServerCertificate()) {
            return TlsContexts.trustingClient(ciphers);
        }
        return tls.caFile().isPresent()
                ? TlsFiles.client(tls.caFile().get(), ciphers)
                : TlsContexts.client(null, ciphers);
    }

    private static Authentication authentication(String bucket, AuthConfig auth) {
        return switch (auth.mode()) {
            case PASSTHROUGH ->
                new Authentication.Passthrough(auth.account()
                        .map(own -> credentials(own.username(), own.password()))
                        .orElse(null));
            case MAPPED -> {
                List<Credentials> clients = new ArrayList<>();
                for (LoginConfig login : auth.logins()) {
                    login.password().ifPresent(password -> clients.add(credentials(login.username(), password)));
                }
                if (auth.command().isPresent()) {
                    AccountCommand command = auth.command().get();
                    yield new Authentication.Mapped(
                            clients, new Credentials(command.username(), Secret.EMPTY), supplied(bucket, command));
                }
                Credentials account = auth.account()
                        .map(own -> credentials(own.username(), own.password()))
                        .orElseThrow();
                // Without configured clients, the service account's own credentials are accepted.
                yield new Authentication.Mapped(clients.isEmpty() ? List.of(account) : clients, account);
            }
        };
    }

    private static CurrentSecret<Secret> supplied(String bucket, AccountCommand account) {
        PasswordCommand command = new PasswordCommand(
                account.arguments(),
                account.timeout(),
                Map.of("COMPORTA_BUCKET", bucket, "COMPORTA_LOGIN", account.username()));
        return new CurrentSecret<>(
                () -> new Issued<>(Secret.ofText(command.run().reveal()), account.ttl()));
    }

    private static Credentials credentials(String user, HiddenText password) {
        return new Credentials(user, Secret.ofText(password.reveal()));
    }
}

package dev.comporta.proxy;

import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.admit.Routing;
import dev.comporta.proxy.listen.EntranceRules;
import dev.comporta.proxy.listen.LoginLimits;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.News;
import dev.comporta.standin.Standin;
import dev.comporta.tds.login.Encryption;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import dev.comporta.tls.SelfSignedCertificate;
import dev.comporta.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** A stand-in with a proxy before it, and drivers that dial the proxy. */
final class ProxyFixture implements AutoCloseable {
    static final String USER = RawClient.USER;
    static final String PASSWORD = RawClient.PASSWORD;

    static {
        // What is awaited has mostly happened by the time it is: tenths of a second, hundreds of times, are a minute.
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
    }

    /** Made once: a key takes longer than most tests. */
    private static final class Shared {
        static final ClientTls TLS;

        static {
            try {
                SelfSignedCertificate certificate =
                        SelfSignedCertificate.generate("proxy", List.of("localhost", "127.0.0.1"));
                TLS = new ClientTls(
                        Encryption.Policy.OPTIONAL, TlsContexts.server(certificate.key(), certificate.certificate()));
            } catch (GeneralSecurityException | IOException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    final Standin server;
    final Proxy proxy;
    private final BucketSpec bucket;

    private ProxyFixture(Standin server, BucketSpec bucket) throws IOException {
        this(server, bucket, startProxy(bucket));
    }

    private ProxyFixture(Standin server, BucketSpec bucket, Proxy proxy) {
        this.server = server;
        this.bucket = bucket;
        this.proxy = proxy;
    }

    /** With rules for who may come in. */
    static ProxyFixture start(EntranceRules entrance, LoginLimits logins, EntryRules entry) throws IOException {
        return start(entrance, logins, entry, Duration.ofSeconds(15));
    }

    static ProxyFixture startWithLoginTimeout(EntranceRules entrance, Duration loginTimeout) throws IOException {
        return start(entrance, LoginLimits.DEFAULTS, EntryRules.DEFAULTS, loginTimeout);
    }

    private static ProxyFixture start(
            EntranceRules entrance, LoginLimits logins, EntryRules entry, Duration loginTimeout) throws IOException {
        Standin server = startServer(standin -> standin);
        BucketSpec bucket = with(
                bucket(
                        dial(server, ServerDial.Mode.OFF),
                        BucketSpec.PoolMode.TRANSACTION,
                        BucketSpec.TransactionTracking.AUTO,
                        ClientLimits.NONE,
                        settings -> settings.maxConnections(8).minIdle(0)),
                entry);
        SocketLimits usual = SocketLimits.DEFAULTS;
        SocketLimits sockets = new SocketLimits(
                usual.maxClients(),
                usual.packetSize(),
                usual.loginSize(),
                usual.lowWatermark(),
                usual.highWatermark(),
                logins,
                usual.maxSockets(),
                usual.keepAlive(),
                usual.closeTimeout());
        return new ProxyFixture(
                server, bucket, startProxy(bucket, sockets, LeaseSource.LOCAL, entrance, loginTimeout, News.NONE));
    }

    /** Has these rules hold from now on. */
    void entry(EntryRules rules) {
        proxy.reconfigure(with(bucket, rules));
    }

    private static BucketSpec with(BucketSpec bucket, EntryRules entry) {
        return with(bucket, bucket.limits(), bucket.settings(), entry);
    }

    static ProxyFixture start(int limit) throws IOException {
        return start(
                BucketSpec.PoolMode.TRANSACTION,
                settings -> settings.maxConnections(limit).minIdle(0));
    }

    static ProxyFixture start(BucketSpec.PoolMode mode, UnaryOperator<BucketSettings.Builder> settings)
            throws IOException {
        return start(mode, ServerDial.Mode.LOGIN, server -> server, settings);
    }

    static ProxyFixture start(
            BucketSpec.PoolMode mode,
            ServerDial.Mode encryption,
            UnaryOperator<Standin.Builder> standin,
            UnaryOperator<BucketSettings.Builder> settings)
            throws IOException {
        return start(mode, encryption, standin, ClientLimits.NONE, settings);
    }

    static ProxyFixture start(
            BucketSpec.PoolMode mode,
            ServerDial.Mode encryption,
            UnaryOperator<Standin.Builder> standin,
            ClientLimits limits,
            UnaryOperator<BucketSettings.Builder> settings)
            throws IOException {
        Standin server = startServer(standin);
        return new ProxyFixture(
                server, bucket(dial(server, encryption), mode, BucketSpec.TransactionTracking.AUTO, limits, settings));
    }

    /** With a health check of its own. */
    static ProxyFixture startChecked(
            BucketSpec.PoolMode mode, String healthQuery, UnaryOperator<BucketSettings.Builder> settings)
            throws IOException {
        Standin server = startServer(standin -> standin);
        return new ProxyFixture(
                server,
                bucket(
                        dial(server, ServerDial.Mode.LOGIN),
                        mode,
                        BucketSpec.TransactionTracking.AUTO,
                        ClientLimits.NONE,
                        healthQuery,
                        settings));
    }

    /**
     * Has the bucket's queue lose its patience from now on. A test whose clients are to be refused has them come in
     * before: on a busy machine the first login takes longer than a test likes to wait.
     */
    void patience(Duration patience) {
        QueueSettings before = bucket.settings().queue();
        settings(settings -> settings.queue(new QueueSettings(patience, before.maxSize())));
    }

    /** Has the settings that it was started with, and these, hold from now on. */
    void settings(UnaryOperator<BucketSettings.Builder> changed) {
        proxy.reconfigure(with(
                bucket, bucket.limits(), changed.apply(bucket.settings().but()).build()));
    }

    /** Has requests refused while the server is down. */
    static BucketSettings.Builder refusing(BucketSettings.Builder settings) {
        return settings.queue(new QueueSettings(Duration.ofSeconds(30), 100, QueueSettings.WhenDown.REFUSE));
    }

    /** Has these limits hold from now on, for those who are in too: what comes before them may take its time. */
    void limits(ClientLimits limits) {
        limits(proxy, bucket, limits);
    }

    static void limits(Proxy proxy, BucketSpec bucket, ClientLimits limits) {
        proxy.reconfigure(with(bucket, limits, bucket.settings()));
    }

    private static BucketSpec with(BucketSpec bucket, ClientLimits limits, BucketSettings settings) {
        return with(bucket, limits, settings, bucket.entry());
    }

    private static BucketSpec with(BucketSpec bucket, ClientLimits limits, BucketSettings settings, EntryRules entry) {
        return new BucketSpec(
                bucket.id(),
                bucket.dial(),
                bucket.database(),
                bucket.poolMode(),
                bucket.tracking(),
                bucket.pinIdentity(),
                bucket.preparedStatements(),
                bucket.procedures(),
                bucket.authentication(),
                bucket.credentialTtl(),
                limits,
                bucket.healthQuery(),
                settings,
                bucket.identity(),
                entry);
    }

    private static Standin startServer(UnaryOperator<Standin.Builder> standin) throws IOException {
        return standin.apply(
                        Standin.builder().database("AppDB").database("Other").login(USER, PASSWORD))
                .start();
    }

    private static ServerDial dial(Standin server, ServerDial.Mode encryption) throws IOException {
        return new ServerDial("127.0.0.1", server.port(), encryption, TlsContexts.trustingClient());
    }

    /** A proxy with one bucket, called one, before any server. */
    static Proxy startProxy(
            ServerDial dial,
            BucketSpec.PoolMode mode,
            BucketSpec.TransactionTracking tracking,
            UnaryOperator<BucketSettings.Builder> settings)
            throws IOException {
        return startProxy(bucket(dial, mode, tracking, ClientLimits.NONE, settings));
    }

    static BucketSpec bucket(
            ServerDial dial,
            BucketSpec.PoolMode mode,
            BucketSpec.TransactionTracking tracking,
            ClientLimits limits,
            UnaryOperator<BucketSettings.Builder> settings) {
        return bucket(dial, mode, tracking, limits, "SELECT 1", settings);
    }

    private static BucketSpec bucket(
            ServerDial dial,
            BucketSpec.PoolMode mode,
            BucketSpec.TransactionTracking tracking,
            ClientLimits limits,
            String healthQuery,
            UnaryOperator<BucketSettings.Builder> settings) {
        return bucket(dial, mode, tracking, limits, healthQuery, Duration.ofMinutes(5), settings);
    }

    /** With a password that is believed for so long. */
    static BucketSpec bucket(
            ServerDial dial,
            BucketSpec.PoolMode mode,
            BucketSpec.TransactionTracking tracking,
            ClientLimits limits,
            String healthQuery,
            Duration credentialTtl,
            UnaryOperator<BucketSettings.Builder> settings) {
        return new BucketSpec(
                "one",
                dial,
                "AppDB",
                mode,
                tracking,
                false,
                BucketSpec.PreparedStatements.SHARE,
                ProcedureRules.SHARE,
                new BucketSpec.Authentication.Passthrough(null),
                credentialTtl,
                limits,
                healthQuery,
                settings.apply(BucketSettings.DEFAULTS.but()).build(),
                new BucketSpec.SessionIdentity.Pool("comporta"),
                EntryRules.DEFAULTS);
    }

    static Proxy startProxy(BucketSpec bucket) throws IOException {
        return startProxy(bucket, SocketLimits.DEFAULTS, LeaseSource.LOCAL);
    }

    static Proxy startProxy(BucketSpec bucket, LeaseSource leases) throws IOException {
        return startProxy(bucket, SocketLimits.DEFAULTS, leases);
    }

    static Proxy startProxy(BucketSpec bucket, SocketLimits sockets) throws IOException {
        return startProxy(bucket, sockets, LeaseSource.LOCAL);
    }

    static Proxy startProxy(BucketSpec bucket, News news) throws IOException {
        return startProxy(bucket, SocketLimits.DEFAULTS, LeaseSource.LOCAL, news);
    }

    private static Proxy startProxy(BucketSpec bucket, SocketLimits sockets, LeaseSource leases) throws IOException {
        return startProxy(bucket, sockets, leases, News.NONE);
    }

    private static Proxy startProxy(BucketSpec bucket, SocketLimits sockets, LeaseSource leases, News news)
            throws IOException {
        return startProxy(bucket, sockets, leases, EntranceRules.OPEN, Duration.ofSeconds(15), news);
    }

    private static Proxy startProxy(
            BucketSpec bucket,
            SocketLimits sockets,
            LeaseSource leases,
            EntranceRules entrance,
            Duration loginTimeout,
            News news)
            throws IOException {
        return Proxy.start(
                new Proxy.Settings(
                        List.of(new Proxy.ListenAddress(
                                "main", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), entrance)),
                        2,
                        Transport.best(),
                        false,
                        Shared.TLS,
                        loginTimeout,
                        sockets),
                List.of(bucket),
                (login, listener) -> login.database().equals("Nowhere")
                        ? new Routing.Destination.Nowhere("no bucket serves database Nowhere.")
                        : new Routing.Destination.Bucket(bucket.id()),
                leases,
                news);
    }

    Connection connect() throws SQLException {
        return connect("");
    }

    Connection connect(String options) throws SQLException {
        return connect(proxy.port(), options);
    }

    /** Without the proxy. */
    Connection connectDirectly() throws SQLException {
        return connect(server.port(), "");
    }

    private static Connection connect(int port, String options) throws SQLException {
        return Jdbc.mssql(port, "user=" + USER + ";password=" + PASSWORD + ";" + options);
    }

    Connection connectJtds() throws SQLException {
        return connectJtds("");
    }

    Connection connectJtds(String options) throws SQLException {
        return Jdbc.jtds(proxy.port(), options);
    }

    /** Another proxy before the same server, with two connections of its own. */
    Proxy startBeside(BucketSpec.TransactionTracking tracking) throws IOException {
        return startProxy(
                bucket.dial(),
                BucketSpec.PoolMode.TRANSACTION,
                tracking,
                settings -> settings.maxConnections(2).minIdle(0));
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}

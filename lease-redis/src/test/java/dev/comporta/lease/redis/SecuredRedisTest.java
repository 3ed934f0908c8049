package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseView.Standing;
import dev.comporta.lease.redis.RedisEndpoint.Address;
import dev.comporta.lease.redis.RedisEndpoint.Credentials;
import dev.comporta.lease.redis.RedisEndpoint.Tls;
import dev.comporta.lease.redis.testkit.CutOffRelay;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.TestBucket;
import dev.comporta.lease.suite.TestClock;
import dev.comporta.lease.url.SettingNames;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.testkit.LogLines;
import dev.comporta.tls.SelfSignedCertificate;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis behind TLS and a user of its own: the way in, and what is said when there is none. */
class SecuredRedisTest {
    private static final String ORDERS = "orders";
    private static final Credentials FLEET = new Credentials("fleet", "sesame");

    /** No more than docs/fleet.md says that Comporta's user needs. */
    private static final String USER = "user fleet on >sesame ~proxy:* &proxy:* +eval +evalsha +hgetall +hset +hdel"
            + " +get +set +time +info +publish +subscribe +unsubscribe +ping +select +client";

    private static final String CLUSTER_USER = "user fleet on >sesame ~proxy:* &proxy:* +eval +evalsha +hgetall +hset"
            + " +hdel +get +set +time +info +spublish +ssubscribe +sunsubscribe +ping +client +cluster|nodes"
            + " +cluster|myid";

    private static final String SENTINEL_USER = "user fleet on >sesame +sentinel|get-master-addr-by-name";

    private static final Pattern LISTENS = Pattern.compile(" s?sub=[1-9]");

    @TempDir
    static Path directory;

    private static Path authority;
    private static Path stranger;

    private final Database database = new Database();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<RedisProcess, StatefulRedisConnection<String, String>> asking = new HashMap<>();
    private final LogLines logged = new LogLines(RedisLink.class);

    @BeforeAll
    static void makeCertificates() throws Exception {
        authority = certificate("redis");
        stranger = certificate("stranger");
    }

    private static Path certificate(String name) throws GeneralSecurityException, IOException {
        SelfSignedCertificate made = SelfSignedCertificate.generate(name, List.of("127.0.0.1"));
        return KeyFiles.write(directory, name, made).certificate();
    }

    @AfterEach
    void stop() throws Exception {
        logged.close();
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** Of whoever asks at this port, for other tests have their troubles too. */
    private List<String> warningsOf(int port) {
        return logged.linesOf(Level.WARN, "127.0.0.1:" + port, "can't be reached");
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(condition);
    }

    /** Speaks TLS alone, on its port. */
    private RedisProcess redis(int port, String... settings) throws IOException {
        List<String> lines = new ArrayList<>(tls(port));
        lines.addAll(List.of(settings));
        RedisProcess started = new RedisProcess(port, lines.toArray(new String[0]));
        open.add(started);
        return started;
    }

    private static List<String> tls(int port) {
        return List.of(
                "port 0",
                "tls-port " + port,
                "tls-cert-file " + authority,
                "tls-key-file " + directory.resolve("redis.key"),
                "tls-ca-cert-file " + authority,
                "tls-auth-clients no");
    }

    private static Tls trusting(Path certificates) {
        return new Tls(true, false, Optional.of(certificates));
    }

    private TestBucket bucketOf(TestSettings settings) {
        return bucketOf(settings, new LeaseClock());
    }

    private TestBucket bucketOf(TestSettings settings, LeaseClock clock) {
        TestInstance instance = new TestInstance(settings, database, clock);
        open.add(instance);
        return instance.bucket(ORDERS, limit(2));
    }

    private TestBucket loneBucketAt(RedisEndpoint endpoint) {
        return bucketOf(TestInstance.settings("a", endpoint, 1));
    }

    /** Over TLS, trusting anyone, as the server's default user; on one connection for all questions. */
    private RedisCommands<String, String> to(RedisProcess server) {
        return asking.computeIfAbsent(server, this::connect).sync();
    }

    private StatefulRedisConnection<String, String> connect(RedisProcess server) {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(server.port())
                .withSsl(true)
                .withVerifyPeer(false)
                .build());
        open.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
        return client.connect();
    }

    private long connectionsTo(RedisProcess server) {
        return to(server)
                .info("stats")
                .lines()
                .filter(line -> line.startsWith("total_connections_received:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                .findFirst()
                .orElseThrow();
    }

    /** Connections that listen to something. */
    private long listeners(RedisProcess server) {
        return to(server)
                .clientList()
                .lines()
                .filter(line ->
                        line.contains(" user=fleet ") && LISTENS.matcher(line).find())
                .count();
    }

    /** It is tried so often from now on. */
    private void awaitTries(RedisProcess server, int more) {
        long before = connectionsTo(server);
        await(() -> connectionsTo(server) >= before + more);
    }

    /** Both get a slot, and one that the other gives back is announced. */
    private void share(RedisEndpoint endpoint, RedisProcess... servers) {
        TestClock clock = new TestClock();
        TestBucket a = bucketOf(TestInstance.settings("a", endpoint, 2));
        TestBucket b = bucketOf(TestInstance.settings("b", endpoint, 2), clock.forLeases());
        a.want(2);
        await(() -> a.inUse == 2);
        b.want(1);
        await(() -> a.lease().view().fleet().stream().anyMatch(holder -> holder.waiting() == 1));
        await(() -> Stream.of(servers).mapToLong(this::listeners).sum() == 2);
        clock.stop(); // it is never time to ask again
        a.done(1);
        await(() -> b.inUse == 1);
        assertThat(database.most(ORDERS)).isEqualTo(2);
        assertThat(warningsOf(endpoint.addresses().getFirst().port())).isEmpty();
    }

    @Test
    void slotsAreSharedThroughTlsAsAUserWithJustTheLeaveItNeeds() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        share(server.endpoint().withTls(trusting(authority)).withCredentials(FLEET), server);
    }

    @Test
    void soTheyAreThroughACluster() throws Exception {
        List<RedisProcess> nodes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int port = RedisProcess.freePort();
            nodes.add(redis(
                    port,
                    "cluster-enabled yes",
                    "tls-cluster yes",
                    "cluster-config-file nodes-" + port + ".conf",
                    "dir " + directory,
                    CLUSTER_USER));
        }
        int half = SlotHash.SLOT_COUNT / 2;
        to(nodes.get(0)).clusterAddSlots(IntStream.range(0, half).toArray());
        to(nodes.get(1))
                .clusterAddSlots(IntStream.range(half, SlotHash.SLOT_COUNT).toArray());
        to(nodes.get(0)).clusterMeet("127.0.0.1", nodes.get(1).port());
        nodes.forEach(node -> await(() -> {
            String info = to(node).clusterInfo();
            return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:2");
        }));
        RedisEndpoint endpoint = RedisEndpoint.plain(
                RedisEndpoint.Mode.CLUSTER,
                List.of(new Address("127.0.0.1", nodes.get(0).port())));
        share(endpoint.withTls(trusting(authority)).withCredentials(FLEET), nodes.toArray(new RedisProcess[0]));
    }

    @Test
    void soTheyAreThroughASentinel() throws Exception {
        RedisProcess master = redis(RedisProcess.freePort(), USER);
        int port = RedisProcess.freePort();
        // Nobody is let in without a name, neither to the sentinel nor by it to the master's keys.
        open.add(sentinel(port, master, SENTINEL_USER, "user default off"));
        share(behind(port).withTls(trusting(authority)).withCredentials(FLEET), master);
    }

    @Test
    void soTheyAreThroughASentinelThatAnybodyMayAsk() throws Exception {
        RedisProcess master = redis(RedisProcess.freePort(), USER);
        int port = RedisProcess.freePort();
        open.add(sentinel(port, master));
        share(behind(port).withTls(trusting(authority)).withCredentials(FLEET), master);
    }

    @Test
    void sentinelThatRefusesThePasswordIsToldWithTheKeyToFix() throws Exception {
        RedisProcess master = redis(RedisProcess.freePort(), USER);
        int port = RedisProcess.freePort();
        open.add(sentinel(port, master, SENTINEL_USER, "user default off"));
        loneBucketAt(behind(port).withTls(trusting(authority)).withCredentials(new Credentials("fleet", "open-up")));
        await(() -> !warningsOf(port).isEmpty());
        assertThat(warningsOf(port).getFirst()).contains("Correct redis.username and redis.password");
    }

    private static RedisEndpoint behind(int sentinel) {
        return new RedisEndpoint(
                RedisEndpoint.Mode.SENTINEL,
                List.of(new Address("127.0.0.1", sentinel)),
                Optional.of("fleet"),
                Optional.empty(),
                0,
                "proxy",
                Tls.NONE,
                Duration.ofSeconds(2),
                Duration.ofMillis(500));
    }

    /** It asks its master over TLS, and is itself asked so alone. */
    private static AutoCloseable sentinel(int port, RedisProcess master, String... settings) throws IOException {
        List<String> lines = new ArrayList<>(tls(port));
        lines.addAll(List.of(
                "bind 127.0.0.1",
                "dir " + directory,
                "tls-replication yes",
                "sentinel monitor fleet 127.0.0.1 " + master.port() + " 1"));
        lines.addAll(List.of(settings));
        Path configuration = Files.write(directory.resolve("sentinel-" + port + ".conf"), lines);
        Process started = new ProcessBuilder(
                        RedisProcess.executable().toString(), configuration.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("sentinel-" + port + ".log").toFile())
                .start();
        Path said = directory.resolve("sentinel-" + port + ".log");
        await(() -> Files.readString(said).contains("+monitor master fleet"));
        return () -> started.destroyForcibly().waitFor();
    }

    @Test
    void strangersCertificateIsToldOnceWithTheKeyToFixAndTriedUntilItIsTrusted() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        Path trusted = Files.copy(stranger, directory.resolve("trusted.crt"));
        CutOffRelay way =
                new CutOffRelay(server.port()); // Redis does not count those who don't get through a handshake
        open.add(way);
        RedisEndpoint endpoint = RedisEndpoint.standalone("127.0.0.1", way.port());
        TestBucket a = loneBucketAt(endpoint.withTls(trusting(trusted)).withCredentials(FLEET));
        await(() -> !warningsOf(way.port()).isEmpty() && way.calls() >= 3);
        assertThat(warningsOf(way.port())).hasSize(1).first().asString().contains("redis.ca_file");
        Files.copy(authority, trusted, StandardCopyOption.REPLACE_EXISTING);
        a.want(1);
        await(() -> a.inUse == 1 && a.lease().view().standing() == Standing.IN_TOUCH);
    }

    @Test
    void wrongPasswordIsToldOnceWithTheKeyToFixAndTriedUntilItIsRight() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        Credentials wrong = new Credentials("fleet", "open-up");
        TestBucket a =
                loneBucketAt(server.endpoint().withTls(trusting(authority)).withCredentials(wrong));
        await(() -> !warningsOf(server.port()).isEmpty());
        awaitTries(server, 2);
        assertThat(warningsOf(server.port()))
                .hasSize(1)
                .first()
                .asString()
                .contains("redis.password")
                .doesNotContain("open-up");
        to(server).aclSetuser("fleet", AclSetuserArgs.Builder.addPassword("open-up"));
        a.want(1);
        await(() -> a.inUse == 1 && a.lease().view().standing() == Standing.IN_TOUCH);
    }

    @Test
    void passwordThatIsChangedWhileConnectedIsToldWhenTheConnectionEnds() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        TestBucket a =
                loneBucketAt(server.endpoint().withTls(trusting(authority)).withCredentials(FLEET));
        await(() -> a.lease().view().fleet().size() == 1);
        to(server).aclSetuser("fleet", AclSetuserArgs.Builder.resetpass().addPassword("other"));
        to(server).clientKill(KillArgs.Builder.user("fleet"));
        await(() -> !warningsOf(server.port()).isEmpty() && a.lease().view().standing() == Standing.TROUBLED);
        awaitTries(server, 4); // of two connections
        assertThat(warningsOf(server.port())).hasSize(1).first().asString().contains("redis.password");
        to(server).aclSetuser("fleet", AclSetuserArgs.Builder.addPassword("sesame"));
        await(() -> a.lease().view().standing() == Standing.IN_TOUCH);
    }

    @Test
    void tlsWhereThereIsNoneAndNoneWhereThereIsNameTheKey() throws Exception {
        RedisProcess secured = redis(RedisProcess.freePort());
        loneBucketAt(secured.endpoint());
        await(() -> !warningsOf(secured.port()).isEmpty());
        assertThat(warningsOf(secured.port()).getFirst()).contains("redis.tls to true");
        RedisProcess plain = new RedisProcess();
        open.add(plain);
        // Redis takes a handshake for the beginning of a command, and waits for the rest.
        RedisEndpoint endpoint = plain.endpoint().withTls(trusting(authority)).withDialTimeout(Duration.ofSeconds(1));
        bucketOf(new TestSettings("b", endpoint, TestInstance.INTERVAL, TestInstance.LONG, true, 1));
        await(() -> !warningsOf(plain.port()).isEmpty());
        assertThat(warningsOf(plain.port()).getFirst()).contains("does not answer", "redis.tls");
    }

    @Test
    void adviceNamesTheKeyForWhateverRedisSays() {
        assertThat(advice(SettingNames.KEYS))
                .satisfiesExactly(
                        text -> assertThat(text).contains("Set redis.password"),
                        text -> assertThat(text).contains("redis.username"),
                        text -> assertThat(text).contains("redis.mode to cluster"),
                        text -> assertThat(text).contains("redis.mode to standalone"),
                        text -> assertThat(text).contains("redis.addr"),
                        text -> assertThat(text).isEqualTo("something else"));
    }

    /** In an application: there is no section {@code redis}, but a URL. */
    @Test
    void adviceNamesThePartOfTheUrlThatTheStoreWasMadeOf() {
        assertThat(advice(SettingNames.URL))
                .noneMatch(text -> text.contains("redis."))
                .satisfiesExactly(
                        text -> assertThat(text).contains(":PASSWORD@ before the host in leases"),
                        text -> assertThat(text).contains("the user of leases"),
                        text -> assertThat(text).contains("mode=cluster to leases"),
                        text -> assertThat(text).contains("mode in leases to standalone"),
                        text -> assertThat(text).contains("the host and port in leases"),
                        text -> assertThat(text).isEqualTo("something else"));
    }

    private static List<String> advice(SettingNames names) {
        RedisTrouble trouble = new RedisTrouble(names);
        return List.of(
                trouble.of(new IllegalStateException("NOAUTH Authentication required.")),
                trouble.of(new IllegalStateException("NOPERM this user has no permissions")),
                trouble.of(new IllegalStateException("MOVED 1 127.0.0.1:1")),
                trouble.of(new IllegalStateException("ERR This instance has cluster support disabled")),
                trouble.of(new ConnectException("Connection refused")),
                trouble.of(new IllegalStateException("something else")));
    }
}

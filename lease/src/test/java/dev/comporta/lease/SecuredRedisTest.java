package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.comporta.lease.RedisEndpoint.Address;
import dev.comporta.lease.RedisEndpoint.Credentials;
import dev.comporta.lease.RedisEndpoint.Tls;
import dev.comporta.lease.testkit.RedisProcess;
import dev.comporta.tds.tls.SelfSignedCertificate;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
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
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Redis behind TLS and a user of its own: the way in, and what is said when there is none. */
@Isolated
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

    @TempDir
    static Path directory;

    private static Path authority;
    private static Path stranger;

    private final Database database = new Database();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeAll
    static void makeCertificates() throws Exception {
        authority = certificate("redis");
        stranger = certificate("stranger");
    }

    private static Path certificate(String name) throws GeneralSecurityException, IOException {
        SelfSignedCertificate made = SelfSignedCertificate.generate(name, List.of("127.0.0.1"));
        String key = Base64.getMimeEncoder().encodeToString(made.key().getEncoded());
        Files.writeString(
                directory.resolve(name + ".key"),
                "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
        return Files.writeString(directory.resolve(name + ".crt"), made.pem());
    }

    @BeforeEach
    void startLog() {
        logged.start();
        linkLog().addAppender(logged);
    }

    @AfterEach
    void stop() throws Exception {
        linkLog().detachAppender(logged);
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private static Logger linkLog() {
        return (Logger) LoggerFactory.getLogger(RedisLink.class);
    }

    private List<String> warnings() {
        return List.copyOf(logged.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(text -> text.contains("can't be reached"))
                .toList();
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

    private TestBucket bucketAt(String name, RedisEndpoint endpoint) {
        // A third of the lease for a connection: the first handshakes of a process take most of a second on a busy
        // machine.
        LeaseSettings settings =
                new LeaseSettings(name, endpoint, Duration.ofMillis(500), Duration.ofSeconds(6), true, 2);
        TestInstance instance = new TestInstance(settings, database);
        open.add(instance);
        return instance.bucket(ORDERS, limit(2));
    }

    /** Over TLS, trusting anyone, as the server's default user. */
    private static <T> T ask(RedisProcess server, Function<RedisCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(server.port())
                .withSsl(true)
                .withVerifyPeer(false)
                .build());
        try (var connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static long connectionsTo(RedisProcess server) {
        return ask(server, redis -> redis.info("stats"))
                .lines()
                .filter(line -> line.startsWith("total_connections_received:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                .findFirst()
                .orElseThrow();
    }

    /** Both get a slot, and one that the other gives back is announced. */
    private void share(RedisEndpoint endpoint) {
        TestBucket a = bucketAt("a", endpoint);
        TestBucket b = bucketAt("b", endpoint);
        a.want(2);
        await(() -> a.inUse == 2);
        b.want(1);
        await(() -> b.lease().view().waiting() == 1);
        a.done(1);
        await(() -> b.inUse == 1);
        assertThat(database.most(ORDERS)).isEqualTo(2);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void slotsAreSharedThroughTlsAsAUserWithJustTheLeaveItNeeds() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        share(server.endpoint().withTls(trusting(authority)).withCredentials(FLEET));
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
        ask(
                nodes.get(0),
                redis -> redis.clusterAddSlots(IntStream.range(0, half).toArray()));
        ask(
                nodes.get(1),
                redis -> redis.clusterAddSlots(
                        IntStream.range(half, SlotHash.SLOT_COUNT).toArray()));
        ask(nodes.get(0), redis -> redis.clusterMeet("127.0.0.1", nodes.get(1).port()));
        nodes.forEach(node ->
                await(() -> ask(node, redis -> redis.clusterInfo()).contains("cluster_state:ok")
                        && ask(node, redis -> redis.clusterInfo()).contains("cluster_known_nodes:2")));
        RedisEndpoint endpoint = RedisEndpoint.plain(
                RedisEndpoint.Mode.CLUSTER,
                List.of(new Address("127.0.0.1", nodes.get(0).port())));
        share(endpoint.withTls(trusting(authority)).withCredentials(FLEET).withCommandTimeout(Duration.ofSeconds(2)));
    }

    @Test
    void soTheyAreThroughASentinel() throws Exception {
        RedisProcess master = redis(RedisProcess.freePort(), USER);
        int port = RedisProcess.freePort();
        // Nobody is let in without a name, neither to the sentinel nor by it to the master's keys.
        open.add(sentinel(port, master, SENTINEL_USER, "user default off"));
        share(behind(port).withTls(trusting(authority)).withCredentials(FLEET));
    }

    @Test
    void soTheyAreThroughASentinelThatAnybodyMayAsk() throws Exception {
        RedisProcess master = redis(RedisProcess.freePort(), USER);
        int port = RedisProcess.freePort();
        open.add(sentinel(port, master));
        share(behind(port).withTls(trusting(authority)).withCredentials(FLEET));
    }

    @Test
    void sentinelThatRefusesThePasswordIsToldWithTheKeyToFix() throws Exception {
        RedisProcess master = redis(RedisProcess.freePort(), USER);
        int port = RedisProcess.freePort();
        open.add(sentinel(port, master, SENTINEL_USER, "user default off"));
        bucketAt("a", behind(port).withTls(trusting(authority)).withCredentials(new Credentials("fleet", "open-up")));
        await(() -> !warnings().isEmpty());
        assertThat(warnings().getFirst()).contains("Correct redis.username and redis.password");
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
        TestBucket a =
                bucketAt("a", server.endpoint().withTls(trusting(trusted)).withCredentials(FLEET));
        long before = connectionsTo(server);
        await(() -> connectionsTo(server) >= before + 6); // some of them are ours, to ask
        assertThat(warnings()).hasSize(1).first().asString().contains("redis.ca_file", "127.0.0.1:" + server.port());
        Files.copy(authority, trusted, StandardCopyOption.REPLACE_EXISTING);
        a.want(1);
        await(() -> a.inUse == 1 && a.lease().view().standing() == LeaseView.Standing.IN_TOUCH);
    }

    @Test
    void wrongPasswordIsToldOnceWithTheKeyToFixAndTriedUntilItIsRight() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        Credentials wrong = new Credentials("fleet", "open-up");
        TestBucket a =
                bucketAt("a", server.endpoint().withTls(trusting(authority)).withCredentials(wrong));
        long before = connectionsTo(server);
        await(() -> connectionsTo(server) >= before + 6);
        assertThat(warnings())
                .hasSize(1)
                .first()
                .asString()
                .contains("redis.password")
                .doesNotContain("open-up");
        ask(server, redis -> redis.aclSetuser("fleet", AclSetuserArgs.Builder.addPassword("open-up")));
        a.want(1);
        await(() -> a.inUse == 1 && a.lease().view().standing() == LeaseView.Standing.IN_TOUCH);
    }

    @Test
    void passwordThatIsChangedWhileConnectedIsToldWhenTheConnectionEnds() throws Exception {
        RedisProcess server = redis(RedisProcess.freePort(), USER);
        TestBucket a =
                bucketAt("a", server.endpoint().withTls(trusting(authority)).withCredentials(FLEET));
        await(() -> a.lease().view().fleet().size() == 1);
        ask(
                server,
                redis -> redis.aclSetuser(
                        "fleet", AclSetuserArgs.Builder.resetpass().addPassword("other")));
        ask(server, redis -> redis.clientKill(KillArgs.Builder.user("fleet")));
        await(() -> !warnings().isEmpty());
        assertThat(warnings().getFirst()).contains("redis.password");
        ask(server, redis -> redis.aclSetuser("fleet", AclSetuserArgs.Builder.addPassword("sesame")));
        await(() -> a.lease().view().standing() == LeaseView.Standing.IN_TOUCH);
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void tlsWhereThereIsNoneAndNoneWhereThereIsNameTheKey() throws Exception {
        RedisProcess secured = redis(RedisProcess.freePort());
        bucketAt("a", secured.endpoint());
        await(() -> warnings().size() == 1);
        RedisProcess plain = new RedisProcess();
        open.add(plain);
        bucketAt("b", plain.endpoint().withTls(trusting(authority)).withDialTimeout(Duration.ofSeconds(1)));
        await(() -> warnings().size() == 2);
        assertThat(warnings().get(0)).contains("redis.tls to true");
        assertThat(warnings().get(1)).contains("does not answer", "redis.tls");
    }

    @Test
    void adviceNamesTheKeyForWhateverRedisSays() {
        assertThat(Arrays.asList(
                        RedisTrouble.of(new IllegalStateException("NOAUTH Authentication required.")),
                        RedisTrouble.of(new IllegalStateException("NOPERM this user has no permissions")),
                        RedisTrouble.of(new IllegalStateException("MOVED 1 127.0.0.1:1")),
                        RedisTrouble.of(new IllegalStateException("ERR This instance has cluster support disabled")),
                        RedisTrouble.of(new ConnectException("Connection refused")),
                        RedisTrouble.of(new IllegalStateException("something else"))))
                .satisfiesExactly(
                        text -> assertThat(text).contains("Set redis.password"),
                        text -> assertThat(text).contains("redis.username"),
                        text -> assertThat(text).contains("redis.mode to cluster"),
                        text -> assertThat(text).contains("redis.mode to standalone"),
                        text -> assertThat(text).contains("redis.addr"),
                        text -> assertThat(text).isEqualTo("something else"));
    }
}

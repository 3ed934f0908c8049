package dev.comporta.ops.config;

import static dev.comporta.ops.config.Readings.problems;
import static dev.comporta.ops.config.Readings.problemsOfBucket;
import static dev.comporta.ops.config.Readings.problemsOfBuckets;
import static dev.comporta.ops.config.Readings.problemsOfProxy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.ops.config.fleet.HeartbeatConfig;
import dev.comporta.ops.config.yaml.InvalidSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that are valid by themselves and contradict each other. */
class ContradictionsTest {
    private static final String BUCKETS = "buckets: [{id: b1, host: db, database: d, max_connections: 40}]";

    @TempDir
    private Path directory;

    @Test
    void aPortThatSeveralProcessesShareWithNio() {
        assertThat(problemsOfProxy("proxy:\n  transport: nio\n  reuse_port: true"))
                .containsExactly(
                        "proxy.yaml:3:15: error: proxy.reuse_port: It needs transport epoll or io_uring; with nio"
                                + " a port has one process. Set transport to auto or epoll, or reuse_port to false.");
        assertThat(problemsOfProxy("proxy: {transport: nio, reuse_port: false}"))
                .isEmpty();
        assertThat(problemsOfProxy("proxy: {reuse_port: true}")).isEmpty();
    }

    @Test
    void headersOfLoadBalancersWithoutAnyThatIsTrusted() {
        assertThat(Readings.problems("proxy: {proxy_protocol: required}", BUCKETS))
                .containsExactly("proxy.yaml:1:25: error: proxy.proxy_protocol: PROXY headers are read, but no load"
                        + " balancer is trusted. List the addresses of the load balancers in 'trusted_proxies'.");
    }

    @Test
    void trustedLoadBalancersWhoseHeadersAreNotRead() {
        assertThat(Readings.problems(
                        "proxy: {listeners: [{name: second, port: 1444, trusted_proxies: 10.0.0.1}]}", BUCKETS))
                .containsExactly(
                        "proxy.yaml:1:65: error: proxy.listeners[second].trusted_proxies: Load balancers are trusted,"
                                + " but their PROXY headers are not read. Set 'proxy_protocol' to required or optional, or remove"
                                + " 'trusted_proxies'.");
    }

    @Test
    void everybodyAsATrustedLoadBalancerIsWarnedOf() {
        assertThat(Readings.problems(
                        "proxy: {proxy_protocol: optional, trusted_proxies: [10.0.0.1, 0.0.0.0/0]}", BUCKETS))
                .containsExactly(
                        "proxy.yaml:1:52: warning: proxy.trusted_proxies: Anyone who can connect can claim any address."
                                + " List the addresses of the load balancers only.");
    }

    @Test
    void minIdleAboveTheLimit() {
        assertThat(problemsOfBucket("min_idle: 41"))
                .containsExactly("buckets.yaml:6:15: error: buckets[b1].min_idle: It is above max_connections (40)."
                        + " Lower it: 40 is the maximum number of connections.");
    }

    @Test
    void defaultOfMinIdleYieldsToALimitOfOne() {
        Reading reading = Readings.of("", "buckets: [{id: b, host: h, database: d, max_connections: 1}]");
        assertThat(reading.orThrow().buckets().getFirst().capacity().minIdle()).isEqualTo(1);
    }

    @Test
    void loginLimitAboveTheBuckets() {
        assertThat(problemsOfBucket("max_connections_per_login: 50"))
                .containsExactly("buckets.yaml:6:32: error: buckets[b1].max_connections_per_login: It is above"
                        + " max_connections (40). Lower it, or write 0 for no limit of its own.");
    }

    @Test
    void reservoirAboveTheLimit() {
        assertThat(problemsOfBucket("reservoir: {target_ready: 41}"))
                .containsExactly("buckets.yaml:6:31: error: buckets[b1].reservoir.target_ready: It is above"
                        + " max_connections (40). Lower it: 40 is the maximum number of connections.");
    }

    @Test
    void everyContradictionOfTheReservoirIsToldInOneGo() {
        assertThat(problemsOfBucket("""
                        reservoir:
                          target_ready: 3
                          low_watermark: 4
                          max_lifetime: 1m
                          guard_window: 45s
                          refill: 6"""))
                .containsExactly(
                        "buckets.yaml:8:22: error: buckets[b1].reservoir.low_watermark: It is above target_ready (3), so"
                                + " that refilling would always hurry. Make it at most target_ready.",
                        "buckets.yaml:10:21: error: buckets[b1].reservoir.guard_window: Together with replace_ahead (30s)"
                                + " it is not below max_lifetime (1m), so that no connection could be used. Lower it,"
                                + " or raise max_lifetime.",
                        "buckets.yaml:11:15: error: buckets[b1].reservoir.fast_refill: It is below refill (6): the"
                                + " reservoir would refill more slowly when it is low. Make it at least refill.");
    }

    @Test
    void contradictionWithABadValueIsNotToldTwice() {
        assertThat(problemsOfBucket("reservoir:\n  target_ready: three\n  low_watermark: 4"))
                .singleElement()
                .asString()
                .contains("'three' is not a whole number");
    }

    @Test
    void contradictionWithABadValueOfTheDefaultsIsNotToldEither() {
        assertThat(problemsOfBuckets("defaults: {max_connections: many, reservoir: {target_ready: three}}\n"
                        + "buckets: [{id: a, host: h, database: d, min_idle: 5, reservoir: {low_watermark: 4}}]\n"))
                .hasSize(2)
                .allMatch(
                        problem -> problem.startsWith("buckets.yaml:1:") && problem.contains("is not a whole number"));
    }

    @Test
    void healthCheckLongerThanItsInterval() {
        assertThat(problemsOfBucket("health: {timeout: 31s}"))
                .containsExactly(
                        "buckets.yaml:6:23: error: buckets[b1].health.timeout: A check could still run when the"
                                + " next is due: interval is 30s. Make it at most interval.");
    }

    @Test
    void healthBackoffThatShrinks() {
        assertThat(problemsOfBucket("health: {backoff: 1m}"))
                .containsExactly("buckets.yaml:6:23: error: buckets[b1].health.max_backoff: It is shorter than backoff"
                        + " (1m), from which pauses grow. Raise it, or lower backoff.");
    }

    @Test
    void hostsBesideHost() {
        assertThat(problemsOfBucket("hosts: [a, b]\nfailover_partner: c"))
                .containsExactlyInAnyOrder(
                        "buckets.yaml:3:11: error: buckets[b1].host: It contradicts hosts, which names all servers of the"
                                + " bucket. Put it into hosts, in order of preference, or remove hosts.",
                        "buckets.yaml:7:23: error: buckets[b1].failover_partner: It contradicts hosts, which names all"
                                + " servers of the bucket. Put it into hosts, in order of preference, or remove hosts.");
    }

    @Test
    void serverThatIsItsOwnPartner() {
        assertThat(problemsOfBucket("failover_partner: db:1433"))
                .containsExactly("buckets.yaml:6:23: error: buckets[b1].failover_partner: It names db:1433 twice."
                        + " Name each server of the bucket once.");
    }

    @Test
    void hostsThatNameNoServer() {
        assertThat(problemsOfBuckets("buckets: [{id: b1, hosts: [], database: d, max_connections: 1}]"))
                .containsExactly(
                        "buckets.yaml:1:27: error: buckets[b1].hosts: It names no server. Name at least one, or"
                                + " use 'host'.");
    }

    @Test
    void hostThatIsNone() {
        assertThat(problemsOfBuckets("buckets: [{id: b1, hosts: [a, b:99999], database: d, max_connections: 1}]"))
                .singleElement()
                .asString()
                .contains("'b:99999' has a port out of range");
    }

    @Test
    void mappedWithoutAnAccount() {
        assertThat(problemsOfBucket("auth: mapped"))
                .containsExactly("buckets.yaml:6:11: error: buckets[b1].auth: Mapped authentication needs the service"
                        + " account to use at the database. Add 'username:' and 'password:' or 'password_command:'.");
    }

    @Test
    void passwordAndACommandForIt() {
        String mapped = "auth: mapped\nusername: app\npassword_command: /bin/token\n";
        String login = "logins: [{username: web, password: pw}]\n";
        assertThat(problemsOfBucket(mapped + "password: pw\n" + login))
                .first()
                .asString()
                .endsWith("There are two passwords for the account: one here, and one that the command prints. Remove"
                        + " 'password:' or 'password_command:'.");
        assertThat(problemsOfBucket("auth: mapped\npassword_command: /bin/token\n" + login))
                .anyMatch(problem -> problem.endsWith("no login to use it with. Add 'username:'."));
        assertThat(problemsOfBucket("username: app\npassword_command: /bin/token\n"))
                .anyMatch(problem -> problem.endsWith("Set 'auth: mapped', or use 'password:'."));
        assertThat(problemsOfBucket(mapped))
                .anyMatch(problem -> problem.endsWith("Add 'logins:' with a password each."));
        assertThat(problemsOfBucket(mapped + "connection_timeout: 5s\nlogins: [{username: web, password: pw}]\n"))
                .anyMatch(problem -> problem.contains("password_timeout")
                        && problem.endsWith("Make it shorter than connection_timeout."));
        assertThat(problemsOfBucket(mapped + "logins: [{username: web, password: pw}]\n"))
                .noneMatch(problem -> problem.contains("error"));
    }

    @Test
    void halfAnAccount() {
        assertThat(problemsOfBucket("username: app"))
                .containsExactly("buckets.yaml:6:15: error: buckets[b1].username: There is a login, but no password for"
                        + " it. Add 'password:' with ${NAME} or ${file:/path}.");
        assertThat(problemsOfBucket("password: secret"))
                .first()
                .asString()
                .endsWith("There is a password, but no login to use it with. Add 'username:'.");
        assertThat(problemsOfProxy("proxy: {admin: {username: ops}}\n"))
                .singleElement()
                .asString()
                .startsWith("proxy.yaml:1:27: error: proxy.admin.username: There is a login, but no password");
    }

    @Test
    void loginListedTwice() {
        assertThat(problemsOfBucket("logins:\n  - username: web\n  - username: WEB"))
                .containsExactly(
                        "buckets.yaml:8:19: error: buckets[b1].logins[WEB].username: This login is listed twice."
                                + " Remove one.");
    }

    @Test
    void certificateWithoutItsKeyAndKeyWithoutItsCertificate() throws IOException {
        Files.writeString(directory.resolve("a.pem"), "");
        assertThat(problemsOfTls("certificate: a.pem"))
                .containsExactly(
                        "proxy.yaml:1:28: error: proxy.tls.certificate: A certificate is given without its private"
                                + " key. Add 'private_key:' with the path of the key, or remove 'certificate'.");
        assertThat(problemsOfTls("private_key: a.pem"))
                .containsExactly("proxy.yaml:1:28: error: proxy.tls.private_key: A private key is given without its"
                        + " certificate. Add 'certificate:' with the path of the chain, or remove 'private_key'.");
        assertThat(problemsOfTls("private_key_password: pw"))
                .containsExactly("proxy.yaml:1:37: error: proxy.tls.private_key_password: There is a password but no"
                        + " private key. Add 'private_key:', or remove 'private_key_password'.");
        assertThat(problemsOfTls("mode: off, client_ca: a.pem"))
                .contains(
                        "proxy.yaml:1:37: error: proxy.tls.client_ca: Client certificates can't be checked while TLS is"
                                + " off. Set 'mode' to required, or remove 'client_ca'.");
    }

    private List<String> problemsOfTls(String keys) {
        return Readings.lines(Readings.of("proxy: {tls: {" + keys + "}}\n", Readings.ONE_BUCKET, directory, Map.of()));
    }

    @Test
    void httpsWithoutACertificate() {
        assertThat(problemsOfProxy("proxy:\n  tls: {mode: off}\n  http_tls: on\n"))
                .filteredOn(problem -> problem.contains(" error: "))
                .containsExactly("proxy.yaml:3:13: error: proxy.http_tls: HTTPS uses the certificate of"
                        + " 'tls', and its mode is off. Set 'mode' in 'tls' to optional or required, or set 'http_tls'"
                        + " to off.");
        assertThat(problemsOfProxy("proxy:\n  http_tls: on\n")).isEmpty();
        assertThat(problemsOfProxy("proxy:\n  http_tls: required\n"))
                .singleElement()
                .asString()
                .contains("off, on");
    }

    @Test
    void aLivePageThatAsksForATokenThatThereIsNot() {
        assertThat(problemsOfProxy("proxy:\n  admin: {live_page: token}\n"))
                .containsExactly("proxy.yaml:2:22: error: proxy.admin.live_page: The live page asks for the token, and"
                        + " there is none. Set 'token', or set 'live_page' to off or read_only.");
        assertThat(problemsOfProxy("proxy:\n  admin: {live_page: off}\n")).isEmpty();
        assertThat(problemsOfProxy("proxy:\n  admin: {live_page: public}\n"))
                .singleElement()
                .asString()
                .contains("read_only, token, off");
    }

    @Test
    void onePortOnTwoAddressesIsTwoPorts() {
        assertThat(problemsOfProxy("proxy:\n  health_check_addr: 10.0.0.1\n  health_check_port: 9090\n"
                        + "  metrics_addr: 10.0.0.2\n  listen_addr: 10.0.0.3\n  listen_port: 9090\n"))
                .isEmpty();
        assertThat(problemsOfProxy("proxy:\n  health_check_addr: 10.0.0.1\n  health_check_port: 9090\n"))
                .singleElement()
                .asString()
                .contains("proxy.metrics_port: The health checks already listen on port 9090.");
    }

    @Test
    void portsTakenTwice() {
        assertThat(problemsOfProxy("proxy:\n  health_check_port: 9090\n"))
                .containsExactly("proxy.yaml:2:22: error: proxy.metrics_port: The health checks already listen on port"
                        + " 9090. Choose another port for one of them.");
        assertThat(problemsOfProxy("proxy:\n  listen_port: 8080\n"))
                .containsExactly("proxy.yaml:2:16: error: proxy.listen_port: Port 8080 is already taken by the health"
                        + " checks. Choose another port.");
        assertThat(problemsOfProxy("proxy:\n  listeners:\n  - {name: a, port: 1433}\n"))
                .containsExactly(
                        "proxy.yaml:3:21: error: proxy.listeners[a].port: Port 1433 is already taken by listener"
                                + " 'main'. Choose another port.");
    }

    @Test
    void samePortOnTwoAddressesIsFine() {
        assertThat(problemsOfProxy("""
                        proxy:
                          listen_addr: 10.0.0.1
                          listeners:
                          - {name: a, addr: 10.0.0.2, port: 1433}
                        """)).isEmpty();
    }

    @Test
    void listenersOfOneName() {
        assertThat(problemsOfProxy("proxy:\n  listeners:\n  - {name: main, port: 1444}\n"))
                .containsExactly("proxy.yaml:3:12: error: proxy.listeners[main].name: There is another listener of this"
                        + " name. Choose another name.");
    }

    @Test
    void watermarksTheWrongWayRound() {
        assertThat(problemsOfProxy("proxy: {limits: {low_watermark: 128KB}}\n"))
                .containsExactly(
                        "proxy.yaml:1:33: error: proxy.limits.low_watermark: It is above high_watermark, so that"
                                + " reading would never stop. Make it at most high_watermark.");
    }

    @Test
    void heartbeatThatASingleDelayWouldKill() {
        assertThat(problemsOfProxy("redis: {addr: r, heartbeat_interval: 10s, heartbeat_ttl: 20s}\n"))
                .containsExactly(
                        "proxy.yaml:1:58: error: redis.heartbeat_ttl: An instance would be declared dead after a"
                                + " single late heartbeat. Make it more than twice heartbeat_interval (10s).");
    }

    @Test
    void slotsAreCountedInOnePlace() {
        assertThat(problemsOfProxy("redis: {addr: a}\ndynamodb: {table: slots}\n"))
                .containsExactly(
                        "proxy.yaml:2:11: error: dynamodb: There are a 'redis' and a 'dynamodb' section, and slots"
                                + " are counted in one place. Add 'leases: redis' or 'leases: dynamodb', or remove one of the"
                                + " sections.");
        assertThat(problemsOfProxy("leases: redis\n"))
                .containsExactly("proxy.yaml:1:9: error: leases: There is no redis.addr. Add 'redis:' with 'addr:'.");
        assertThat(problemsOfProxy("leases: dynamodb\nfallback: {local_limit_divisor: 1}\n"))
                .isEmpty();
        assertThat(problemsOfProxy("dynamodb: {heartbeat_interval: 10s, heartbeat_ttl: 20s}\n")
                        .getFirst())
                .contains("error: dynamodb.heartbeat_ttl: An instance would be declared dead");
    }

    @Test
    void redisModes() {
        assertThat(problemsOfProxy("redis: {addr: [a, b]}\n"))
                .containsExactly("proxy.yaml:1:15: error: redis.addr: A standalone Redis has one address. Set 'mode' to"
                        + " sentinel or cluster, or give one address.");
        assertThat(problemsOfProxy("redis: {addr: [a, b], mode: sentinel}\n"))
                .containsExactly("proxy.yaml:1:29: error: redis.mode: With sentinel, the master's name is needed."
                        + " Add 'sentinel_master:' with the name the sentinels know.");
        assertThat(problemsOfProxy("redis: {addr: [a, b], mode: cluster, database: 1}\n"))
                .containsExactly(
                        "proxy.yaml:1:48: error: redis.database: A Redis Cluster has database 0 only. Remove it.");
        assertThat(problemsOfProxy("redis: {addr: a, username: u}\n"))
                .containsExactly("proxy.yaml:1:28: error: redis.username: A Redis user without a password can't log in."
                        + " Add 'password:' with ${NAME} or ${file:/path}.");
    }

    @Test
    void twoBucketsOfOneId() {
        assertThat(problemsOfBuckets("""
                        buckets:
                          - {id: a, host: h, database: x, max_connections: 5}
                          - {id: a, host: h, database: y, max_connections: 5}
                        """))
                .containsExactly(
                        "buckets.yaml:3:10: error: buckets[a].id: There is another bucket with this id, in line 2."
                                + " Give each bucket an id of its own.");
    }

    @Test
    void aRecordRefusesAContradictionWhoeverMakesIt() {
        assertThatThrownBy(() -> new HeartbeatConfig(Duration.ofSeconds(10), Duration.ofSeconds(20)))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("heartbeat_ttl: An instance would be declared dead");
    }

    @Test
    void bothFilesAreCheckedTogether() {
        assertThat(problems("proxy: {listen_port: x}\n", "buckets: [{id: a}]\n"))
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem).contains("proxy.yaml:", "proxy.listen_port"),
                        problem -> assertThat(problem).contains("buckets.yaml:", "buckets[a].host"),
                        problem -> assertThat(problem).contains("buckets.yaml:", "buckets[a].max_connections"));
    }
}

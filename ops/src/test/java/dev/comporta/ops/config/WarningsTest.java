package dev.comporta.ops.config;

import static dev.comporta.ops.config.Readings.problems;
import static dev.comporta.ops.config.Readings.problemsOfBucket;
import static dev.comporta.ops.config.Readings.problemsOfBuckets;
import static dev.comporta.ops.config.Readings.problemsOfProxy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that may be mistakes: they are reported, and the instance starts all the same. */
class WarningsTest {
    private static final String THREE_OF_REDIS = "redis: {addr: r}\nfallback: {local_limit_divisor: 3}\n";

    @TempDir
    private Path directory;

    @Test
    void warningsDoNotKeepFromStarting() {
        Reading reading = Readings.of("proxy: {tls: {mode: off}}\n", Readings.ONE_BUCKET);
        assertThat(reading.problems()).hasSize(1);
        assertThat(reading.configuration()).isPresent();
    }

    @Test
    void tlsOff() {
        assertThat(problemsOfProxy("proxy: {tls: {mode: off}}\n"))
                .containsExactly(
                        "proxy.yaml:1:21: warning: proxy.tls.mode: Clients' passwords travel in a form that anyone"
                                + " on the network can read. Use optional or required unless the network is trusted.");
    }

    @Test
    void clientCertificatesThatNobodyMustShow() throws IOException {
        Files.writeString(directory.resolve("ca.pem"), "");
        Reading reading = Readings.of("proxy: {tls: {client_ca: ca.pem}}\n", Readings.ONE_BUCKET, directory, Map.of());
        assertThat(Readings.lines(reading))
                .containsExactly(
                        "proxy.yaml:1:26: warning: proxy.tls.client_ca: A client that does not encrypt shows no"
                                + " certificate and can still log in. Set 'mode' to required to make every client show one.");
    }

    @Test
    void certificatesNamedWhereAnyIsTrusted() throws IOException {
        Files.writeString(directory.resolve("ca.pem"), "");
        String bucket = Readings.ONE_BUCKET + "    trust_server_certificate: true\n    ca_file: ca.pem\n";
        assertThat(Readings.lines(Readings.of("", bucket, directory, Map.of())))
                .containsExactly("buckets.yaml:7:14: warning: buckets[b1].ca_file: It has no effect:"
                        + " trust_server_certificate takes any certificate. Remove one of the two.");
    }

    @Test
    void textOfSlowRequestsWhereNoneIsLogged() {
        assertThat(problemsOfProxy("proxy: {log_sql: true}\n"))
                .containsExactly(
                        "proxy.yaml:1:18: warning: proxy.log_sql: It has no effect without slow_request: only slow"
                                + " requests are logged. Set slow_request, such as 'slow_request: 1s', or remove it.");
    }

    @Test
    void idleTimeoutBeyondTheSession() {
        assertThat(problemsOfProxy("proxy: {idle_timeout: 6m}\n"))
                .containsExactly(
                        "proxy.yaml:1:23: warning: proxy.idle_timeout: It is longer than session_timeout, so it"
                                + " never comes into play. Lower it, or raise session_timeout.");
        assertThat(problemsOfProxy("proxy: {idle_timeout: 6m, session_timeout: 0}\n"))
                .isEmpty();
    }

    @Test
    void actionOnLongPinsWithoutATime() {
        assertThat(problemsOfProxy("proxy: {max_pin_action: close}\n"))
                .containsExactly("proxy.yaml:1:25: warning: proxy.max_pin_action: It has no effect without"
                        + " max_pin_time. Add 'max_pin_time:' with a duration such as 10m, or remove it.");
    }

    @Test
    void tokenThatCanBeGuessed() {
        assertThat(problemsOfProxy("proxy: {admin: {token: hunter2}}\n"))
                .containsExactly(
                        "proxy.yaml:1:24: warning: proxy.admin.token: The token has fewer than 16 letters and can"
                                + " be guessed. Make one with 'openssl rand -hex 32'.");
    }

    @Test
    void redisSettingsWithoutAnAddress() {
        assertThat(problemsOfProxy("redis:\n  pool_size: 5\n"))
                .containsExactly(
                        "proxy.yaml:2:14: warning: redis.pool_size: It has no effect without redis.addr: slots are"
                                + " counted in this process alone. Add 'addr:', or remove the section if there is only one"
                                + " instance.");
    }

    @Test
    void sectionOfAStoreThatWasNotChosen() {
        assertThat(problemsOfProxy("leases: local\nredis: {addr: r}\n"))
                .containsExactly(
                        "proxy.yaml:2:8: warning: redis: It has no effect: 'leases' says that slots are counted in"
                                + " this process. Remove the section, or change 'leases'.");
        assertThat(
                        problemsOfProxy(
                                "leases: redis\nredis: {addr: r}\ndynamodb: {table: slots}\nfallback: {local_limit_divisor: 1}\n"))
                .containsExactly(
                        "proxy.yaml:3:11: warning: dynamodb: It has no effect: 'leases' says that slots are counted"
                                + " in Redis. Remove the section, or change 'leases'.");
    }

    @Test
    void fallbackWithoutRedis() {
        assertThat(problemsOfProxy("fallback:\n  enabled: true\n"))
                .containsExactly(
                        "proxy.yaml:2:3: warning: fallback: It has no effect without redis.addr: there is no Redis"
                                + " to fall back from. Add 'redis:' with 'addr:', or remove the section.");
    }

    @Test
    void shareOfAnInstanceThatIsNothing() {
        String bucket = "buckets: [{id: a, host: h, database: d, min_idle: 0, max_connections: 2}]\n";
        assertThat(problems(THREE_OF_REDIS, bucket))
                .containsExactly("buckets.yaml:1:71: warning: buckets[a].max_connections: Without Redis an instance may"
                        + " open 2 / 3 = 0 connections to it: its clients would be refused. Raise it to 3 or more, or"
                        + " lower fallback.local_limit_divisor.");
        assertThat(problems("", bucket)).as("one instance alone").isEmpty();
        assertThat(problems("redis: {addr: r}\nfallback: {enabled: false}\n", bucket))
                .isEmpty();
    }

    @Test
    void idleConnectionsThatAlreadyFillTheLimit() {
        String bucket = "buckets: [{id: a, host: h, database: d, min_idle: 5, max_connections: 14}]\n";
        assertThat(problems(THREE_OF_REDIS, bucket))
                .containsExactly(
                        "buckets.yaml:1:51: warning: buckets[a].min_idle: 3 instances want to keep 15 connections"
                                + " ready; the limit is 14. Lower it, so that instances don't take slots from each other while"
                                + " idle.");
        assertThat(problems(THREE_OF_REDIS, bucket.replace("14", "15"))).isEmpty();
    }

    @Test
    void passwordsInTheFileAreToldOnce() {
        assertThat(problemsOfBuckets("""
                        buckets:
                          - {id: a, host: h, database: x, max_connections: 5, username: u, password: one}
                          - {id: b, host: h, database: y, max_connections: 5, username: u, password: two}
                        """))
                .containsExactly(
                        "buckets.yaml:2:78: warning: buckets[a].password: Passwords of 2 buckets are written out"
                                + " in the file. Write ${NAME} or ${file:/path} instead, so that nobody who can read the"
                                + " file learns them.");
    }

    @Test
    void overflowThatIsNotAskedFor() {
        assertThat(problemsOfBucket("overflow: {max: 3}"))
                .containsExactly(
                        "buckets.yaml:6:15: warning: buckets[b1].overflow: It has no effect: exhaustion_policy is"
                                + " not overflow. Set 'exhaustion_policy: overflow', or remove the section.");
    }

    @Test
    void clientPasswordsWithPassthrough() {
        assertThat(problemsOfBucket("logins: [{username: web, password: pw}]"))
                .containsExactly("buckets.yaml:6:40: warning: buckets[b1].logins[web].password: It has no effect: with"
                        + " passthrough the database checks the credentials. Set 'auth: mapped', or remove it.");
    }

    @Test
    void bucketThatNothingLeadsTo() {
        assertThat(problemsOfBuckets("""
                        buckets:
                          - {id: a, host: h, database: App, max_connections: 5}
                          - {id: b, host: h, database: APP, max_connections: 5}
                          - {id: c, host: h, database: App, max_connections: 5, server_names: sql-c}
                        """))
                .containsExactly("buckets.yaml:2:10: warning: buckets[a].id: No client can reach bucket 'a' and 1 more:"
                        + " nothing leads there, or a database that other buckets have too. Give it 'server_names' or"
                        + " 'databases', or a route in proxy.yaml.");
    }
}

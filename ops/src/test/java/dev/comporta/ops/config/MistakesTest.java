package dev.comporta.ops.config;

import static dev.comporta.ops.config.Readings.problemsOfBucket;
import static dev.comporta.ops.config.Readings.problemsOfBuckets;
import static dev.comporta.ops.config.Readings.problemsOfProxy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.ops.config.bucket.Encrypt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Problems with single keys and values: where, what is wrong, and what to write instead. */
class MistakesTest {
    @TempDir
    private Path directory;

    @Test
    void unknownKeyNamesTheNearestOfItsSection() {
        assertThat(problemsOfProxy("proxy:\n  idle_timeout: 1s\n  listen_prot: 1\n"))
                .containsExactly(
                        "proxy.yaml:3:3: error: proxy.listen_prot: There is no such key. Did you mean 'listen_port'?");
    }

    @Test
    void unknownKeyUnlikeAnyListsThoseThereAre() {
        assertThat(problemsOfProxy("fallback:\n  zebra: 1\nredis: {addr: r}\n"))
                .containsExactly("proxy.yaml:2:3: error: fallback.zebra: There is no such key."
                        + " Known here: enabled, local_limit_divisor.");
    }

    @Test
    void unknownKeyInABucketNamesTheBucket() {
        assertThat(problemsOfBucket("reservoir:\n  targetReady: 1"))
                .containsExactly("buckets.yaml:7:7: error: buckets[b1].reservoir.targetReady: There is no such key."
                        + " Did you mean 'target_ready'?");
    }

    @Test
    void mergeKeyIsUnknown() {
        assertThat(problemsOfBucket("<<: {min_idle: 1}"))
                .singleElement()
                .asString()
                .startsWith("buckets.yaml:6:5: error: buckets[b1].<<: There is no such key. Known here: id, host,");
    }

    @Test
    void proceduresAreAWordOrTwoLists() {
        assertThat(problemsOfBucket("procedures: pinn"))
                .containsExactly("buckets.yaml:6:17: error: buckets[b1].procedures: 'pinn' is not known here."
                        + " Write one of share, pin. Did you mean 'pin'?");
        assertThat(problemsOfBucket("procedures: [share, pin]"))
                .containsExactly("buckets.yaml:6:17: error: buckets[b1].procedures: There is more than one value."
                        + " Write share, pin, or one section with the lists 'pin' and 'share'.");
        assertThat(problemsOfBucket("procedures: {}"))
                .containsExactly("buckets.yaml:6:17: error: buckets[b1].procedures.pin: No procedure is named."
                        + " Name procedures under 'pin' or 'share', or write share or pin.");
        assertThat(problemsOfBucket("procedures: {pinned: [p]}"))
                .contains("buckets.yaml:6:18: error: buckets[b1].procedures.pinned: There is no such key."
                        + " Did you mean 'pin'?");
    }

    @Test
    void proceduresAreNamedOnceAndWell() {
        assertThat(problemsOfBucket("procedures: {pin: [dbo.p], share: [DBO.P]}"))
                .containsExactly("buckets.yaml:6:39: error: buckets[b1].procedures.share: 'dbo.p' is under 'pin' too."
                        + " Remove one.");
        for (String name : List.of("a.b.c.d", "p;1", "EXEC p", ".p", "p.", "[p")) {
            assertThat(problemsOfBucket("procedures: {pin: ['" + name + "']}"))
                    .contains("buckets.yaml:6:24: error: buckets[b1].procedures.pin: '" + name
                            + "' is not a procedure's name."
                            + " Write name, schema.name or database.schema.name; * stands for any letters.");
        }
        for (String name : List.of("p", "dbo.p", "db..p", "db.dbo.p", "[my db].dbo.[my proc]", "billing.*")) {
            assertThat(problemsOfBucket("procedures: {pin: ['" + name + "']}")).isEmpty();
        }
    }

    @Test
    void keyGivenTwiceNamesTheFirstLine() {
        assertThat(problemsOfProxy("proxy:\n  metrics_port: 1\n  metrics_port: 2\n"))
                .containsExactly("proxy.yaml:3:3: error: proxy.metrics_port: The key is given twice; first in line 2."
                        + " Remove one.");
    }

    @Test
    void missingKeysAreToldAtTheirBucket() {
        assertThat(problemsOfBuckets("buckets:\n  - id: b1\n    database: d\n"))
                .containsExactlyInAnyOrder(
                        "buckets.yaml:2:5: error: buckets[b1].host: The key is missing."
                                + " Add 'host:' with the database server's host name.",
                        "buckets.yaml:2:5: error: buckets[b1].max_connections: The key is missing."
                                + " Add 'max_connections:' with a whole number from 1 to 32767.");
    }

    @Test
    void bucketWithoutIdIsToldByItsNumber() {
        assertThat(problemsOfBuckets("buckets:\n  - host: h\n    database: d\n    max_connections: 1\n"))
                .containsExactly("buckets.yaml:2:5: error: buckets[#1].id: The key is missing."
                        + " Add 'id:' with a name for the bucket.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            listen_port: x          | 'x' is not a whole number. Write a whole number from 0 to 65535.
            listen_port: 70000      | '70000' is out of range. Write a whole number from 0 to 65535.
            listen_port: 1433.5     | '1433.5' is not a whole number. Write a whole number from 0 to 65535.
            listen_port: [1]        | This must be a single value, not a list. Write a whole number from 0 to 65535.
            listen_port: {a: 1}     | This must be a single value, not a section. Write a whole number from 0 to 65535.
            listen_addr: ""         | '' is empty. Write an address to listen on.
            idle_timeout: 60        | '60' has no unit. Write 60s for seconds, or ms, m or h.
            idle_timeout: 1 minute  | '1 minute' is not a duration. Write it like 250ms, 30s, 5m or 1h30m.
            idle_timeout: -1s       | '-1s' is not a duration. Write it like 250ms, 30s, 5m or 1h30m.
            queue_timeout: 0        | '0' is out of range. Write a duration from 1us to 8760h.
            queue_timeout: 400d     | '400d' is out of range. Write a duration from 1us to 8760h.
            queue_timeout: 99999999999999999999s | '99999999999999999999s' is longer than can be counted. Write it like 250ms, 30s, 5m or 1h30m.
            limits: 4               | This must be a section, not a single value. Put keys below it: max_clients, packet_size, login_size, high_watermark, low_watermark, max_pending_logins, max_pending_logins_per_address, max_clients_per_address, max_handshakes, pending_login_bytes.
            limits: {packet_size: 16 KB} | '16 KB' is not a size. Write it like 512, 16KB or 4MB.
            limits: {packet_size: 64KB}  | '64KB' is out of range. Write a size from 512 to 32767.
            limits: {login_size: 9999999999999GB} | '9999999999999GB' is larger than can be counted. Write it like 512, 16KB or 4MB.
            pinning_mode: statement | 'statement' is not known here. Write one of transaction, session.
            transport: ePol         | 'ePol' is not known here. Write one of auto, epoll, io_uring, nio. Did you mean 'epoll'?
            instance_id: "{x}"      | '{x}' has letters that can't be used here. Use at most 128 letters, digits, '.', '_' and '-', a letter or digit first.
            routes: b1              | This must be a list, not a single value. Begin each item with '- '.
            admin: {token: ""}      | The value is empty. Write ${NAME} or ${file:/path}.
            instance_id: ${X        | '${X' opens '${' and never closes it. Close it with '}', or write '$${' for a plain '${'.
            """, quoteCharacter = '`')
    void badValueIsToldWithWhatIsWanted(String line, String complaint) {
        assertThat(problemsOfProxy("proxy:\n  " + line + "\n"))
                .singleElement()
                .asString()
                .contains("proxy.yaml:2:", ": error: proxy.")
                .endsWith((line.contains("${X") ? complaint.replace("'${X'", "The value of '${X'") : complaint));
    }

    @Test
    void itemOfAListOfSectionsMustBeASection() {
        assertThat(problemsOfBuckets("buckets:\n  - b1\n"))
                .contains("buckets.yaml:2:5: error: buckets[#1]: This must be a section, not a single value."
                        + " Write '- id: …' and the other keys below it.");
    }

    @Test
    void trueAndFalseForEncryptAreTakenAsASlip() {
        assertThat(problemsOfBucket("encrypt: true"))
                .containsExactly("buckets.yaml:6:14: error: buckets[b1].encrypt: 'true' is not known here."
                        + " Write one of off, login, on, strict. Did you mean 'on'?");
        assertThat(problemsOfBucket("encrypt: false"))
                .singleElement()
                .asString()
                .endsWith("Did you mean 'off'?");
    }

    @ParameterizedTest
    @CsvSource({"off, OFF", "on, ON", "ON, ON", "Off, OFF", "'\"off\"', OFF", "strict, STRICT", "login, LOGIN"})
    void bareOnAndOffAreWordsAndNotBooleans(String text, Encrypt expected) {
        Reading reading = Readings.of("", Readings.ONE_BUCKET + "    encrypt: " + text + "\n");
        assertThat(reading.orThrow().buckets().getFirst().tls().encrypt()).isEqualTo(expected);
    }

    @Test
    void dynamodbTableAndEndpointMustBeOnes() {
        assertThat(problemsOfProxy("dynamodb:\n  table: a b\n"))
                .containsExactly("proxy.yaml:2:10: error: dynamodb.table: 'a b' is not a name that DynamoDB allows."
                        + " Use 3 to 255 letters, digits, '.', '_' and '-'.");
        assertThat(problemsOfProxy("dynamodb:\n  endpoint: localhost:8000\n"))
                .containsExactly("proxy.yaml:2:13: error: dynamodb.endpoint: 'localhost:8000' is not an HTTP address."
                        + " Write http://host:port or https://host:port.");
    }

    @Test
    void redisAddressMustBeOne() {
        assertThat(problemsOfProxy("redis:\n  addr: http://redis\n"))
                .containsExactly("proxy.yaml:2:9: error: redis.addr: 'http://redis' is not an address."
                        + " Write it like cache-1:6379 or [::1]:6379.");
        assertThat(problemsOfProxy("redis:\n  addr: redis:99999\n"))
                .containsExactly("proxy.yaml:2:9: error: redis.addr: 'redis:99999' has a port out of range."
                        + " A port is a number from 1 to 65535.");
    }

    @Test
    void malformedYamlIsToldWithItsLine() {
        assertThat(problemsOfProxy("proxy:\n  listen_port: [1\n"))
                .singleElement()
                .asString()
                .startsWith("proxy.yaml:3:1: error: This is not valid YAML: ");
        assertThat(problemsOfProxy("proxy:\n\tlisten_port: 1\n"))
                .singleElement()
                .asString()
                .startsWith("proxy.yaml:2:1: error: This is not valid YAML: ");
    }

    @Test
    void fileOfOneWordIsNotAConfiguration() {
        assertThat(problemsOfProxy("hello"))
                .containsExactly("proxy.yaml:1:1: error: The file is not made of 'key: value' lines."
                        + " Begin it with one of: proxy, leases, redis, dynamodb, fallback.");
    }

    @Test
    void emptyBucketsFileIsAnError() {
        assertThat(problemsOfBuckets("# nothing\n"))
                .containsExactly("buckets.yaml:1:1: error: buckets: There are no buckets."
                        + " List at least one with id, host and max_connections.");
    }

    @Test
    void missingFilesAreTold() {
        Path proxy = directory.resolve("p.yaml");
        Path buckets = directory.resolve("b.yaml");
        assertThat(Readings.lines(new ConfigurationReader(name -> null, "machine").read(proxy, buckets)))
                .containsExactly(
                        buckets + ":1:1: error: There is no such file. Check the path.",
                        proxy + ":1:1: error: There is no such file. Check the path.");
    }

    @Test
    void allMistakesAreToldAtOnceErrorsFirst() {
        assertThat(Readings.problems(
                        "proxy:\n  tls: {mode: off}\n  listen_port: x\n  idle_timeout: y\n",
                        "buckets:\n  - id: b1\n    host: h\n    max_connections: 0\n    hosst: h\n    database: d\n"))
                .map(problem -> problem.substring(
                        0, problem.indexOf(": ", problem.indexOf(": ", problem.indexOf(": ") + 2) + 2)))
                .containsExactly(
                        "buckets.yaml:4:22: error: buckets[b1].max_connections",
                        "buckets.yaml:5:5: error: buckets[b1].hosst",
                        "proxy.yaml:3:16: error: proxy.listen_port",
                        "proxy.yaml:4:17: error: proxy.idle_timeout",
                        "proxy.yaml:2:15: warning: proxy.tls.mode");
    }

    @Test
    void badValueInDefaultsIsToldOnceForAllBuckets() {
        assertThat(problemsOfBuckets("""
                        defaults: {min_idle: many}
                        buckets:
                          - {id: a, host: h, database: a, max_connections: 5}
                          - {id: b, host: h, database: b, max_connections: 5}
                        """))
                .containsExactly("buckets.yaml:1:22: error: defaults.min_idle: 'many' is not a whole number."
                        + " Write a whole number from 0 to 32767.");
    }

    @Test
    void missingVariableIsToldWithKeyLineAndName() {
        assertThat(problemsOfBucket("username: u\npassword: ${DB_PASSWORD}"))
                .containsExactly(
                        "buckets.yaml:7:15: error: buckets[b1].password: The value needs the environment"
                                + " variable DB_PASSWORD, which is not set. Set DB_PASSWORD, or write ${DB_PASSWORD:-default}.");
    }

    @Test
    void variableThatCannotBeOneIsTold() {
        assertThat(problemsOfProxy("proxy:\n  instance_id: ${MY-ID}\n"))
                .singleElement()
                .asString()
                .contains("refers to 'MY-ID', which can't be the name of an environment variable");
    }

    @Test
    void missingSecretFileIsTold() {
        assertThat(problemsOfBucket("username: u\npassword: ${file:db.txt}"))
                .containsExactly("buckets.yaml:7:15: error: buckets[b1].password: The value needs the file"
                        + " /nowhere/db.txt, which can't be read. Create it, or let this user read it"
                        + " (NoSuchFileException).");
    }

    @Test
    void valueOfAVariableIsNeverShown() {
        Reading reading = Readings.of(
                "proxy:\n  listen_port: ${PORT}\n", Readings.ONE_BUCKET, directory, Map.of("PORT", "hunter2"));
        assertThat(Readings.lines(reading))
                .containsExactly("proxy.yaml:2:16: error: proxy.listen_port: The value of '${PORT}' is not a whole"
                        + " number. Write a whole number from 0 to 65535.");
    }

    @Test
    void exceptionHasEveryProblem() throws IOException {
        Path proxy = Files.writeString(directory.resolve("proxy.yaml"), "proxy: {listen_port: x, metrics_port: y}\n");
        Path buckets = Files.writeString(directory.resolve("buckets.yaml"), Readings.ONE_BUCKET);
        assertThatThrownBy(() ->
                        ConfigurationReader.ofThisProcess().read(proxy, buckets).orThrow())
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        thrown -> assertThat(thrown.problems()).hasSize(2))
                .hasMessageContainingAll(proxy + ":1:22", proxy + ":1:39");
    }

    @Test
    void namedFileThatIsNotThereIsTold() {
        assertThat(List.of(
                        problemsOfBucket("ca_file: ca.pem").getFirst(),
                        problemsOfProxy("proxy:\n  tls: {client_ca: ca.pem}\n").getFirst(),
                        problemsOfProxy("redis: {addr: r, ca_file: ca.pem}\n").getFirst()))
                .allSatisfy(problem -> assertThat(problem)
                        .contains("The file /nowhere/ca.pem can't be read. Check the path, which starts at the"
                                + " directory of this file, and that this user may read it."));
    }
}

package dev.comporta.lease.dynamodb;

import static dev.comporta.lease.suite.FleetMember.limit;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.LeaseView.Standing;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.FleetMember;
import dev.comporta.lease.suite.TestBucket;
import dev.comporta.lease.url.SettingNames;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Credentials that expire, permissions that are missing, and a table that somebody restored. */
class DynamoAccessTest {
    private static final Duration SOON = FleetMember.LONG.minusSeconds(10);
    private static final AtomicInteger BUCKETS = new AtomicInteger();
    private static final String TABLE = "access";

    private static DynamoProcess dynamo;

    private final Database database = new Database();
    private final List<FleetMember> instances = new ArrayList<>();
    private final String orders = "orders-" + BUCKETS.incrementAndGet();

    @BeforeAll
    static void startDynamo() throws IOException {
        dynamo = new DynamoProcess();
    }

    @AfterAll
    static void stopDynamo() {
        dynamo.close();
    }

    @AfterEach
    void stop() {
        instances.forEach(FleetMember::close);
    }

    private FleetMember instance(String name, int fleet, Faults faults) {
        return instance(name, fleet, FleetMember.LONG, faults);
    }

    private FleetMember instance(String name, int fleet, Duration timeToLive, Faults faults) {
        LeaseSettings settings = FleetMember.settings(name, fleet, timeToLive);
        LeaseClock clock = new LeaseClock();
        FleetMember made =
                new FleetMember(settings, TestStore.connect(dynamo, TABLE, settings, clock, faults), database, clock);
        instances.add(made);
        return made;
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    private static DynamoDbClient client() {
        return DynamoDbClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .region(Region.of(DynamoProcess.REGION))
                .endpointOverride(dynamo.uri())
                .build();
    }

    private Map<String, AttributeValue> book(DynamoDbClient client) {
        return client.getItem(r ->
                        r.tableName(TABLE).key(Items.book(orders).attributes()).consistentRead(true))
                .item();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ExpiredTokenException",
                "UnrecognizedClientException",
                "InvalidSignatureException",
                "AccessDeniedException"
            })
    void anInstanceWhoseCredentialsEndKeepsWhatItHasAndComesBackWithNewOnes(String code) {
        Faults faults = new Faults();
        FleetMember one = instance("a", 1, faults);
        TestBucket a = one.bucket(orders, limit(2));
        a.want(1);
        await(() -> a.inUse == 1);
        faults.refuse(code, _ -> true);
        await(() -> a.lease().view().standing() != Standing.IN_TOUCH);
        assertThat(a.inUse).isEqualTo(1);
        faults.permit();
        await(() -> a.lease().view().standing() == Standing.IN_TOUCH);
        a.want(1);
        await(() -> a.inUse == 2);
        assertThat(database.most(orders)).isEqualTo(2);
    }

    /** As with modules of the SDK that don't fit together. */
    @Test
    void aLibraryThatDoesNotFitLeavesTheFairShare() {
        Faults faults = new Faults();
        faults.breakLibrary();
        TestBucket a = instance("a", 2, FleetMember.SHORT, faults).bucket(orders, limit(2));
        a.want(2);
        await(() -> a.inUse == 1);
        assertThat(a.lease().view().standing()).isNotEqualTo(Standing.IN_TOUCH);
        assertThat(a.lease().view().held()).as("half of the limit").isEqualTo(1);
        assertThat(database.most(orders)).isEqualTo(1);
    }

    @Test
    void whatIsWrongWithCredentialsIsSaidWithWhatToDo() {
        DynamoTrouble trouble = new DynamoTrouble(TestStore.endpoint(dynamo, TABLE, false, SOON), SettingNames.KEYS);
        assertThat(trouble.of(Faults.refusalOf("ExpiredTokenException")))
                .contains("table " + TABLE, "Renew the AWS credentials of this process");
        assertThat(trouble.of(new NoSuchFieldError("USER_COUNTRY")))
                .contains("USER_COUNTRY", "use one version for all");
        assertThat(trouble.of(Faults.refusalOf("UnrecognizedClientException"))).contains("Correct the AWS credentials");
        assertThat(trouble.of(Faults.refusalOf("AccessDeniedException"))).contains("Permit the actions listed in docs");
    }

    @Test
    void whatToCorrectIsNamedAsItWasSet() {
        Throwable missing = ResourceNotFoundException.builder().build();
        Throwable refused = SdkClientException.create("x", new ConnectException("Connection refused"));
        DynamoEndpoint endpoint = TestStore.endpoint(dynamo, TABLE, false, SOON);
        DynamoTrouble ofProxy = new DynamoTrouble(endpoint, SettingNames.KEYS);
        assertThat(ofProxy.of(missing)).contains("dynamodb.create_table", "dynamodb.table and dynamodb.region");
        assertThat(ofProxy.of(refused)).contains("Check dynamodb.endpoint,");
        DynamoTrouble ofApplication = new DynamoTrouble(endpoint, SettingNames.URL);
        assertThat(ofApplication.of(missing))
                .contains("set create_table in leases to true", "the table and the region in leases");
        assertThat(ofApplication.of(refused)).contains("Check endpoint in leases,");
    }

    @Test
    void withoutDescribeTableInstancesGoOnBesideThoseThatMayAndItIsSaidOnce() {
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger(DynamoTable.class);
        said.start();
        log.addAppender(said);
        try {
            Faults denied = new Faults();
            denied.refuse("AccessDeniedException", DescribeTableRequest.class::isInstance);
            TestBucket b = instance("b", 2, new Faults()).bucket(orders, limit(3));
            TestBucket a = instance("a", 2, denied).bucket(orders, limit(3));
            a.want(2);
            b.want(1);
            await(() -> a.inUse == 2 && b.inUse == 1);
            String epoch = epoch();
            a.done(2);
            b.want(2);
            await(() -> b.inUse == 3);
            b.done(3);
            a.want(3);
            await(() -> a.inUse == 3);
            assertThat(epoch()).as("nobody doubts the book").isEqualTo(epoch);
            assertThat(database.most(orders)).isEqualTo(3);
            assertThat(List.copyOf(said.list))
                    .filteredOn(line -> line.getFormattedMessage().contains("dynamodb:DescribeTable is not permitted"))
                    .hasSize(1);
        } finally {
            log.detachAppender(said);
        }
    }

    private String epoch() {
        try (DynamoDbClient client = client()) {
            return String.valueOf(book(client).get("epoch"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOlderBookIsDoubtedAndWrittenAnewWithWhatEveryoneHolds(boolean mayDescribe) {
        Faults faults = new Faults();
        if (!mayDescribe) {
            faults.refuse("AccessDeniedException", DescribeTableRequest.class::isInstance);
        }
        TestBucket a = instance("a", 2, faults).bucket(orders, limit(3));
        TestBucket b = instance("b", 2, faults).bucket(orders, limit(3));
        a.want(1);
        await(() -> a.inUse == 1);
        try (DynamoDbClient client = client()) {
            Map<String, AttributeValue> backup = book(client);
            a.want(1);
            b.want(1);
            await(() -> a.inUse == 2 && b.inUse == 1);
            String epoch = epoch();
            client.putItem(r -> r.tableName(TABLE).item(backup)); // where a has one slot, and b none
            b.want(2);
            await(() -> !epoch().equals(epoch)); // doubted: what b has heard of the book before counts no more
        }
        await(() -> holding(b, "a") == 2 && holding(b, "b") == 1);
        a.done(2);
        await(() -> b.inUse == 3);
        assertThat(database.most(orders)).isEqualTo(3);
    }

    /** What TTL sweeps up, sooner or later, is what nobody misses. */
    @Test
    void theBookNeverExpiresAndWhatElseIsWrittenDoes() {
        TestBucket a = instance("a", 2, new Faults()).bucket(orders, limit(1));
        TestBucket b = instance("b", 2, new Faults()).bucket(orders, limit(1));
        a.want(1);
        await(() -> a.inUse == 1);
        b.want(1); // stands in line, and is told when it is served
        a.done(1);
        await(() -> b.inUse == 1);
        try (DynamoDbClient client = client()) {
            assertThat(client.describeTimeToLive(r -> r.tableName(TABLE))
                            .timeToLiveDescription()
                            .attributeName())
                    .isEqualTo(Items.EXPIRES);
            assertThat(book(client)).doesNotContainKey(Items.EXPIRES);
            List<Map<String, AttributeValue>> others = client.scan(r -> r.tableName(TABLE)).items().stream()
                    .filter(item -> !Items.text(item, Items.SORT).equals("book"))
                    .toList();
            assertThat(others)
                    .isNotEmpty()
                    .allSatisfy(item -> assertThat(Items.number(item, Items.EXPIRES))
                            .isGreaterThan(System.currentTimeMillis() / 1000));
        }
    }

    private static int holding(TestBucket told, String instance) {
        return told.lease().view().fleet().stream()
                .filter(holder -> holder.instance().equals(instance))
                .mapToInt(holder -> holder.held())
                .sum();
    }
}

package dev.comporta.lease.dynamodb;

import static dev.comporta.lease.suite.FleetMember.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.LeaseView;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LimitWord;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.FleetMember;
import dev.comporta.lease.suite.TestBucket;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** Throttling, lost requests and answers, a table or a book that is missing. */
class DynamoTroubleTest {
    private static final Duration SOON = FleetMember.LONG.minusSeconds(10);
    private static final AtomicInteger BUCKETS = new AtomicInteger();
    private static final String TABLE = "trouble";

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
        LeaseSettings settings = FleetMember.settings(name, fleet, FleetMember.LONG);
        LeaseClock clock = new LeaseClock();
        FleetMember made =
                new FleetMember(settings, TestStore.connect(dynamo, TABLE, settings, clock, faults), database, clock);
        instances.add(made);
        return made;
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    private Predicate<SdkRequest> writesOfTheBook() {
        return request -> request instanceof PutItemRequest put
                && Items.Key.of(put.item()).equals(Items.book(orders));
    }

    private void slotIsLeasedDespite(Faults.Kind kind, int times) {
        Faults faults = new Faults();
        FleetMember one = instance("a", 1, faults);
        TestBucket a = one.bucket(orders, limit(2));
        await(() -> a.lease().view().limit() == 2);
        faults.happen(kind, times, writesOfTheBook());
        a.want(1);
        await(() -> a.inUse == 1);
        assertThat(faults.left()).isZero();
        assertThat(one.leases.operations().of(Operation.ACQUIRE, Outcome.FAILED))
                .isZero();
        assertThat(a.lease().view().held()).isEqualTo(1);
        a.want(1);
        await(() -> a.inUse == 2);
    }

    @Test
    void writeWhoseAnswerIsLostIsFoundInTheBook() {
        slotIsLeasedDespite(Faults.Kind.LOST_ANSWER, 1);
    }

    @Test
    void writeThatIsLostIsWrittenAgain() {
        slotIsLeasedDespite(Faults.Kind.LOST_REQUEST, 1);
    }

    @Test
    void throttledWriteIsWrittenAgain() {
        slotIsLeasedDespite(Faults.Kind.THROTTLED, 4);
    }

    private static Predicate<SdkRequest> requestsOfHeartbeats() {
        return request -> request instanceof BatchGetItemRequest
                || (request instanceof PutItemRequest put
                        && Items.Key.of(put.item()).equals(Items.beat("a")));
    }

    /** One beat is for all buckets, so all of them would have lost touch, and would have written to their books instead. */
    @Test
    void throttledHeartbeatIsSentAgain() {
        Faults faults = new Faults();
        FleetMember one = instance("a", 1, faults);
        TestBucket a = one.bucket(orders, limit(2));
        await(() -> a.lease().view().limit() == 2);
        faults.happen(Faults.Kind.THROTTLED, 4, requestsOfHeartbeats());
        await(() -> faults.left() == 0);
        long before = one.leases.operations().of(Operation.HEARTBEAT, Outcome.OK);
        await(() -> one.leases.operations().of(Operation.HEARTBEAT, Outcome.OK) > before);
        assertThat(one.leases.operations().of(Operation.HEARTBEAT, Outcome.FAILED))
                .isZero();
    }

    private CompletableFuture<ConnectPermits> ask(FleetMember member, int connects) {
        return member.store
                .connects(orders, connects, new ConnectRateSettings(5, 5), Duration.ofSeconds(20))
                .toCompletableFuture();
    }

    private Predicate<SdkRequest> writesOfTheRate() {
        return request -> request instanceof PutItemRequest put
                && Items.Key.of(put.item()).equals(Items.rate(orders));
    }

    /** Whether they were counted is not known: they count, and are not used. */
    @Test
    void permitsWhoseAnswerIsLostAreNotAskedForAgainUnseen() {
        Faults faults = new Faults();
        FleetMember one = instance("a", 1, faults);
        await(() -> !one.store.isConnecting());
        faults.happen(Faults.Kind.LOST_ANSWER, 1, writesOfTheRate());
        assertThat(ask(one, 3))
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class); // and not by the timeout
        assertThat(faults.left()).isZero();
        assertThat(ask(one, 5).join().granted()).isEqualTo(2);
    }

    @Test
    void permitsWhoseWriteWasThrottledAreAskedForAgainAndCountOnce() {
        Faults faults = new Faults();
        FleetMember one = instance("a", 1, faults);
        await(() -> !one.store.isConnecting());
        faults.happen(Faults.Kind.THROTTLED, 2, writesOfTheRate());
        assertThat(ask(one, 3).join().granted()).isEqualTo(3);
        assertThat(faults.left()).isZero();
        assertThat(ask(one, 5).join().granted()).isEqualTo(2);
    }

    @Test
    void goodbyeThatFailedIsSaidAgain() {
        Faults faults = new Faults();
        FleetMember first = instance("a", 2, faults);
        TestBucket a = first.bucket(orders, limit(2));
        TestBucket b = instance("b", 2, new Faults()).bucket(orders, limit(2));
        await(() -> b.lease().view().fleet().size() == 2);
        faults.cut();
        a.remove();
        first.leases.left(orders).join();
        faults.mend();
        await(() -> b.lease().view().fleet().size() == 1);
    }

    @Test
    void bookThatIsDeletedIsWrittenAnewWithWhatEveryoneHolds() {
        Faults faults = new Faults();
        TestBucket a = instance("a", 2, faults).bucket(orders, limit(3));
        TestBucket b = instance("b", 2, faults).bucket(orders, limit(3));
        a.want(2);
        b.want(1);
        await(() -> a.inUse == 2 && b.inUse == 1);
        inTable(client -> client.deleteItem(r -> r.tableName(TABLE).key(bookKey())));
        assertThat(hasBook()).isFalse();
        b.want(2);
        await(this::hasBook);
        await(() -> holding(b, "a") == 2 && holding(b, "b") == 1);
        a.done(2);
        await(() -> b.inUse == 3);
        assertThat(database.most(orders)).isEqualTo(3);
    }

    private boolean hasBook() {
        return inTable(
                client -> client.getItem(r -> r.tableName(TABLE).key(bookKey()).consistentRead(true))
                        .hasItem());
    }

    private Map<String, AttributeValue> bookKey() {
        return Items.book(orders).attributes();
    }

    /** More buckets than requests at a time: an instance that learned of it too late would take it for a pause of its own. */
    @Test
    void everyBucketLearnsWithinItsLeaseThatNothingIsAnswered() {
        LeaseSettings settings = FleetMember.settings("a", 1, Duration.ofSeconds(9));
        LeaseClock clock = new LeaseClock();
        FleetMember one = new FleetMember(
                settings, TestStore.connect(dynamo, TABLE, settings, clock, new Faults()), database, clock);
        instances.add(one);
        List<TestBucket> buckets = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TestBucket bucket = one.bucket(orders + "-" + i, limit(4));
            buckets.add(bucket);
            bucket.want(2);
        }
        await(() -> buckets.stream().allMatch(bucket -> bucket.inUse == 2));
        dynamo.freeze();
        try {
            buckets.forEach(bucket -> bucket.want(1)); // each has something to ask at once
            await(() -> buckets.stream()
                    .allMatch(bucket ->
                            revoked(bucket) > 0 || bucket.lease().view().standing() == LeaseView.Standing.FALLBACK));
            assertThat(buckets)
                    .as("its fair share is more than it has")
                    .allSatisfy(bucket -> assertThat(revoked(bucket)).isZero());
        } finally {
            dynamo.thaw();
        }
    }

    /** Without an answer, or a failure, a bucket opens no connections: also not those of its fair share. */
    @Test
    void everyBucketLearnsInTimeThatItGetsNoPermits() {
        FleetMember one = instance("a", 1, new Faults());
        await(() -> !one.store.isConnecting());
        dynamo.freeze();
        try {
            CompletableFuture<?>[] asks = IntStream.range(0, 30)
                    .mapToObj(i -> one.store
                            .connects(orders + "-" + i, 1, new ConnectRateSettings(5, 5), Duration.ofSeconds(20))
                            .toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            assertThat(CompletableFuture.allOf(asks)) // five at a time would take a minute
                    .failsWithin(SOON)
                    .withThrowableOfType(ExecutionException.class)
                    .satisfies(e -> assertThat(one.store.explain(e.getCause()))
                            .endsWith("no answer within a third of heartbeat_ttl"));
        } finally {
            dynamo.thaw();
        }
    }

    private static int revoked(TestBucket bucket) {
        return CompletableFuture.supplyAsync(
                        () -> bucket.bucket().snapshot().slots().revoked(), bucket.bucket())
                .join();
    }

    private static <T> T inTable(Function<DynamoDbClient, T> action) {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .region(Region.of(DynamoProcess.REGION))
                .endpointOverride(dynamo.uri())
                .build()) {
            return action.apply(client);
        }
    }

    private static int holding(TestBucket told, String instance) {
        return told.lease().view().fleet().stream()
                .filter(holder -> holder.instance().equals(instance))
                .mapToInt(LeaseView.Holder::held)
                .sum();
    }

    @Test
    void tableThatIsMissingAndMayNotBeCreatedIsNamed() throws Exception {
        LeaseSettings settings = FleetMember.settings("a", 1, FleetMember.LONG);
        try (DynamoLeaseStore store =
                DynamoLeaseStore.connect(settings, TestStore.endpoint(dynamo, "no-such-table", false, SOON))) {
            LeaseCall call = new LeaseCall(LeaseCall.Form.JOIN, 1, 1, 0, 0, 0, 0, 0, 0, LimitWord.asStarted(1), 1, 0);
            Throwable failure = store.call(orders, call)
                    .toCompletableFuture()
                    .handle((_, thrown) -> thrown)
                    .get();
            assertThat(store.explain(failure))
                    .contains("table no-such-table", "region " + DynamoProcess.REGION, "dynamodb:CreateTable");
        }
    }

    /** Whatever happens to requests, and in whatever order instances read and write. */
    @Test
    void limitHoldsAmongInstancesWhoseRequestsFailAtRandom() {
        Random chance = new Random(20_261_117);
        List<Faults> faults = List.of(new Faults(), new Faults(), new Faults());
        List<TestBucket> buckets = new ArrayList<>();
        for (int i = 0; i < faults.size(); i++) {
            buckets.add(instance("i" + i, faults.size(), faults.get(i)).bucket(orders, limit(4)));
        }
        await(() -> buckets.stream().allMatch(b -> b.lease().view().fleet().size() == faults.size()));
        Faults.Kind[] kinds = Faults.Kind.values();
        Map<TestBucket, Integer> wanted = new HashMap<>();
        for (int round = 0; round < 40; round++) {
            int who = chance.nextInt(faults.size());
            TestBucket bucket = buckets.get(who);
            faults.get(who).happen(kinds[chance.nextInt(kinds.length)], 1 + chance.nextInt(2), _ -> true);
            int clients = 1 + chance.nextInt(3);
            bucket.busy = false;
            bucket.want(clients);
            int served = wanted.merge(bucket, clients, Integer::sum);
            if (round % 4 == 0) {
                await(() -> bucket.served >= served);
            }
        }
        await(() -> buckets.stream().allMatch(b -> b.served >= wanted.getOrDefault(b, 0)));
        assertThat(database.most(orders)).isLessThanOrEqualTo(4);
    }
}

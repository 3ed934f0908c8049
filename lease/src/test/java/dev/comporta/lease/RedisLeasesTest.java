package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One Redis, several instances, nothing goes wrong. */
class RedisLeasesTest {
    private static RedisProcess redis;
    private static int bucketNumber;

    private final Database database = new Database();
    private final List<TestInstance> instances = new ArrayList<>();
    private final String orders = "orders-" + ++bucketNumber;

    @BeforeAll
    static void startRedis() throws IOException {
        redis = new RedisProcess();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.close();
    }

    @AfterEach
    void stop() {
        instances.forEach(TestInstance::close);
    }

    private TestInstance instance(String name, int fleet) {
        TestInstance made = new TestInstance(TestInstance.settings(name, redis.endpoint(), fleet), database);
        instances.add(made);
        return made;
    }

    @Test
    void twoInstancesShareOneLimit() {
        TestBucket a = instance("a", 2).bucket(orders, limit(3));
        TestBucket b = instance("b", 2).bucket(orders, limit(3));
        a.want(2);
        await().until(() -> a.inUse == 2);
        b.want(2);
        await().until(() -> b.inUse == 1);
        a.busy = false;
        a.done(2);
        await().until(() -> b.inUse == 2);
        assertThat(database.most(orders)).isLessThanOrEqualTo(3);
    }

    @Test
    void aSlotThatComesFreeIsAnnouncedToWhoWaits() {
        TestBucket a = instance("a", 2).bucket(orders, limit(1));
        TestBucket b = instance("b", 2).bucket(orders, limit(1));
        a.want(1);
        await().until(() -> a.inUse == 1);
        b.want(1);
        await().until(() -> b.lease().view().waiting() == 1);
        a.done(1);
        await().atMost(Duration.ofMillis(900)).until(() -> b.inUse == 1);
    }
}

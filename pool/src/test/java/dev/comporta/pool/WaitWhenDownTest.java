package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitWhenDownTest {
    private static BucketSettings.Builder settings(int failures, int recoveries) {
        return limit(3).health(new HealthSettings(
                HealthSettings.Check.QUERY,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                failures,
                recoveries,
                Duration.ofMillis(500),
                Duration.ofSeconds(5)));
    }

    /** Down after one failed connect, with one request that waits. */
    private static Carrier down(int recoveries) {
        Carrier c = new Carrier(settings(1, recoveries));
        c.attached("old");
        c.closed(1); // its login is known to be good
        c.ask("ana");
        c.unreachable(2);
        assertThat(c.orders()).containsExactly("open 2 p", "health DOWN");
        return c;
    }

    @Test
    void requestsWaitAndAreServedInOrderWhenTheServerIsBack() {
        Carrier c = down(1);
        c.ask("bo");
        c.ask("cy", c.bucket.pool("q", "cy"));
        assertThat(c.orders()).as("nobody is refused").isEmpty();
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).containsExactly("health PROBING", "open 3 p");
        c.opened(3);
        assertThat(c.orders()).containsExactly("health UP", "attach ana 3", "open 4 p", "open 6 q");
        c.opened(4);
        c.opened(6);
        assertThat(c.orders()).containsExactly("attach bo 4", "attach cy 6");
    }

    @Test
    void eldestWaitersLoginIsTried() {
        Carrier c = down(1);
        Pool other = c.bucket.pool("q", "eve");
        for (int i = 0; i < 5; i++) {
            c.ask("eve " + i, other);
        }
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).as("though another has more demand").containsExactly("health PROBING", "open 3 p");
    }

    @Test
    void pausesAreShortWhileSomebodyWaitsAndLongWhenNobodyDoes() {
        Carrier c = down(1);
        List<Long> pauses = pausesOf(c, 3, 6);
        assertThat(pauses.getFirst()).isLessThanOrEqualTo(Duration.ofMillis(110).toNanos());
        assertThat(pauses.getLast())
                .isBetween(
                        Duration.ofMillis(490).toNanos(),
                        Duration.ofMillis(1010).toNanos());
        c.bucket.cancel(c.waiter("ana"), c.now);
        assertThat(pausesOf(c, 9, 1).getFirst())
                .as("nobody waits any more")
                .isGreaterThan(Duration.ofMillis(2400).toNanos());
    }

    private static List<Long> pausesOf(Carrier c, long firstId, int rounds) {
        List<Long> pauses = new ArrayList<>();
        for (long id = firstId; id < firstId + rounds; id++) {
            long from = c.now;
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            pauses.add(c.now - from);
            c.unreachable(id);
        }
        return pauses;
    }

    @Test
    void firstToComeAfterALongQuietTimeIsTriedAtOnce() {
        Carrier c = down(1);
        pausesOf(c, 3, 8);
        c.bucket.cancel(c.waiter("ana"), c.now);
        c.runFor(Duration.ofMillis(1000));
        c.orders();
        c.ask("bo");
        assertThat(c.orders()).containsExactly("health PROBING", "open 11 p");
    }

    @Test
    void connectsOfAServerThatIsNotDownYetAreRepeatedSoonToo() {
        Carrier c = new Carrier(settings(3, 1));
        c.ask("ana");
        c.unreachable(1);
        c.orders();
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void requestThatWaitsTooLongTimesOut() {
        Carrier c = down(1);
        c.askToBeLetIn("bo", c.bucket.pool("q", "bo"));
        for (long id = 3; c.now < Duration.ofSeconds(31).toNanos(); c.runFor(Duration.ofMillis(100))) {
            while (c.connection(id) != null) {
                c.unreachable(id++);
            }
        }
        assertThat(c.orders()).contains("refuse ana QUEUE_TIMEOUT", "refuse bo QUEUE_TIMEOUT");
        assertThat(c.bucket.isFailing()).isTrue();
        assertThat(c.bucket.failingSince()).isZero();
    }

    @Test
    void queueThatIsFullRefuses() {
        Carrier c = new Carrier(settings(1, 1).queue(new QueueSettings(Duration.ofSeconds(30), 2)));
        c.ask("ana");
        c.unreachable(1);
        c.ask("bo");
        c.orders();
        c.ask("cy");
        assertThat(c.orders()).containsExactly("refuse cy QUEUE_FULL");
    }

    @Test
    void firstSuccessServesTheEldestAndTheSecondAllOthers() {
        Carrier c = down(2);
        c.ask("bo");
        c.ask("cy");
        c.runFor(Duration.ofMillis(100));
        c.orders();
        c.opened(3);
        assertThat(c.orders()).containsExactly("health DOWN", "attach ana 3", "health PROBING", "open 4 p");
        c.opened(4);
        assertThat(c.orders()).containsExactly("health UP", "attach bo 4", "open 5 p");
    }

    @Test
    void connectRateHoldsWhenTheServerIsBack() {
        Carrier c = new Carrier(settings(1, 1).maxConnections(20).connectRate(new ConnectRateSettings(10, 3)));
        for (int i = 0; i < 20; i++) {
            c.ask("client " + i);
        }
        for (long id = 1; id <= 3; id++) {
            c.unreachable(id);
        }
        c.orders();
        while (c.bucket.health() != HealthState.PROBING || c.orders().stream().noneMatch(o -> o.startsWith("open"))) {
            c.runFor(Duration.ofMillis(10));
        }
        c.openAll();
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
        c.runFor(Duration.ofSeconds(1));
        assertThat(c.orders())
                .filteredOn(order -> order.startsWith("open"))
                .as("beside the probe")
                .hasSize(9);
    }

    @Test
    void loginThatWaitsIsWhatTheServerIsTriedWith() {
        Carrier c = new Carrier(settings(1, 1));
        Pool pool = c.bucket.pool("q", "bo");
        c.askToBeLetIn("bo", pool);
        c.unreachable(1);
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).containsExactly("open 1 q", "health DOWN", "health PROBING", "open 2 q");
        c.opened(2);
        assertThat(c.orders()).containsExactly("health UP", "attach bo 2");
    }

    @Test
    void bucketThatKnowsNoLoginStaysDownUntilOneComes() {
        Carrier c = new Carrier(settings(1, 1));
        Pool pool = c.bucket.pool("q", "bo");
        c.askToBeLetIn("bo", pool);
        c.unreachable(1);
        c.bucket.cancel(c.waiter("bo"), c.now);
        c.bucket.control().retire(pool, c.now);
        c.bucket.control().retire(c.pool, c.now);
        c.orders();
        c.runFor(Duration.ofMinutes(1));
        assertThat(c.orders()).as("nothing tells that the server is up").isEmpty();
        assertThat(c.bucket.health()).isEqualTo(HealthState.DOWN);
        c.askToBeLetIn("cy", c.bucket.pool("r", "cy"));
        assertThat(c.orders()).containsExactly("health PROBING", "open 2 r");
        c.opened(2);
        assertThat(c.orders()).containsExactly("health UP", "attach cy 2");
    }

    @Test
    void slotIsAskedForBeforeTheServerIsTried() {
        Carrier c = new Carrier(settings(1, 1));
        c.grants = false;
        c.ask("ana");
        c.bucket.leaseEvents().granted(1, c.now);
        c.unreachable(1);
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE", "open 1 p", "health DOWN", "give back 1");
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).containsExactly("health PROBING", "ask 1 AT_ONCE");
        c.bucket.leaseEvents().granted(1, c.now);
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void requestsWaitForADatabaseThatIsNotReadyYet() {
        Carrier c = new Carrier(settings(1, 1));
        c.attached("old");
        c.closed(1);
        c.ask("ana");
        c.events.openFailed(c.connection(2), OpenFailure.NOT_READY, "4060", c.now);
        c.ask("bo");
        c.ask("eve", c.bucket.pool("q", "eve"));
        assertThat(c.orders()).as("another login is not affected").containsExactly("open 2 p", "open 3 q");
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).containsExactly("open 4 p", "open 5 p");
        c.opened(4);
        assertThat(c.orders()).containsExactly("attach ana 4");
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
    }

    @Test
    void loginThatWasNeverAcceptedDoesNotWaitForItsDatabase() {
        Carrier c = new Carrier(settings(1, 1));
        c.askToBeLetIn("ana", c.pool);
        c.orders();
        c.events.openFailed(c.connection(1), OpenFailure.NOT_READY, "4060", c.now);
        assertThat(c.orders()).containsExactly("refuse ana LOGIN_REJECTED");
    }

    @Test
    void settingThatRefusesEndsTheWait() {
        Carrier c = down(1);
        c.bucket
                .control()
                .reconfigure(
                        settings(1, 1)
                                .queue(new QueueSettings(Duration.ofSeconds(30), 1000, QueueSettings.WhenDown.REFUSE))
                                .build(),
                        c.now);
        assertThat(c.orders()).containsExactly("refuse ana SERVER_UNAVAILABLE");
    }
}

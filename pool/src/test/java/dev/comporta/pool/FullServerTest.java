package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot.RoomSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullServerTest {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    /** Several requests have found the server full. */
    private static Carrier full(BucketSettings.Builder settings, String... clients) {
        Carrier c = new Carrier(settings);
        c.attached("old");
        for (String client : clients) {
            c.ask(client);
        }
        for (long id = 2; id < 2 + clients.length; id++) {
            c.full(id);
        }
        assertThat(c.orders()).contains("full").doesNotContain("health DOWN");
        return c;
    }

    private static long opensIn(List<String> orders) {
        return orders.stream().filter(order -> order.startsWith("open")).count();
    }

    @Test
    void requestsWaitAndAreServedInOrderWhenThereIsRoom() {
        Carrier c = full(limit(10), "ana", "bo", "cy");
        c.runFor(FIRST_PAUSE);
        assertThat(c.orders()).as("one at a time finds out").containsExactly("open 5 p");
        c.opened(5);
        assertThat(c.orders()).containsExactly("room", "attach ana 5", "open 6 p", "open 7 p");
        c.opened(6);
        c.opened(7);
        assertThat(c.orders()).containsExactly("attach bo 6", "attach cy 7");
    }

    @Test
    void itIsNeverTakenForDownHoweverOftenItIsFull() {
        Carrier c = full(limit(10), "ana");
        for (long id = 3; id < 9; id++) {
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(50));
            }
            c.full(id);
        }
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
        assertThat(c.bucket.isFailing()).isFalse();
        assertThat(c.orders()).noneMatch(order -> order.startsWith("health"));
    }

    @Test
    void pausesGrowToTheLongestAndBeginAnewAfterASuccess() {
        Carrier c = full(limit(10), "ana");
        List<Duration> pauses = pauses(c, 3, 8);
        assertThat(pauses.get(0)).isBetween(Duration.ofMillis(125), Duration.ofMillis(260));
        assertThat(pauses.get(1)).isBetween(Duration.ofMillis(250), Duration.ofMillis(510));
        assertThat(pauses.getLast()).isBetween(Duration.ofMillis(2500), Duration.ofMillis(5010));
        c.runFor(Duration.ofSeconds(5));
        c.opened(11);
        c.ask("bo");
        c.full(12);
        assertThat(pauses(c, 13, 1).getFirst()).isBetween(Duration.ofMillis(125), Duration.ofMillis(260));
    }

    private static List<Duration> pauses(Carrier c, long firstId, int rounds) {
        List<Duration> pauses = new ArrayList<>();
        for (long id = firstId; id < firstId + rounds; id++) {
            long from = c.now;
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            pauses.add(Duration.ofNanos(c.now - from));
            c.full(id);
        }
        return pauses;
    }

    @Test
    void connectionsThatAreOpenGoOnToServe() {
        Carrier c = full(limit(10), "ana", "bo");
        c.release(1);
        assertThat(c.orders()).containsExactly("attach ana 1");
        c.release(1);
        assertThat(c.orders()).containsExactly("attach bo 1");
    }

    @Test
    void slotsAreGivenBackAndOneIsAskedForWhenItIsTriedAgain() {
        Carrier c = new Carrier(limit(10));
        c.grants = false;
        c.ask("ana");
        c.ask("bo");
        c.bucket.leaseEvents().granted(1, c.now);
        c.bucket.leaseEvents().granted(1, c.now);
        c.orders();
        c.full(1);
        assertThat(c.orders()).containsExactly("full", "give back 1");
        c.full(2);
        assertThat(c.orders()).containsExactly("give back 1");
        c.ask("cy");
        assertThat(c.orders())
                .as("nobody asks for a slot that could not be used")
                .isEmpty();
        c.runFor(FIRST_PAUSE);
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE");
        c.bucket.leaseEvents().granted(1, c.now);
        assertThat(c.orders()).containsExactly("open 3 p");
    }

    @Test
    void slotsThatWaitForTheConnectRateAreNotKept() {
        Carrier c = new Carrier(limit(10).connectRate(new ConnectRateSettings(1, 1)));
        c.grants = false;
        c.ask("ana");
        c.ask("bo");
        c.bucket.leaseEvents().granted(2, c.now);
        c.orders();
        c.full(1);
        assertThat(c.orders()).containsExactly("full", "give back 2");
    }

    @Test
    void idleConnectionOfAnotherLoginIsExchangedForTheEldestWaiter() {
        Carrier c = full(limit(10), "ana");
        c.release(1); // serves ana
        c.release(1); // idle, and the server has room for no other
        Pool other = c.bucket.pool("q", "eve");
        c.orders();
        c.ask("eve", other);
        c.ask("mallory", c.bucket.pool("r", "mallory"));
        assertThat(c.orders()).isEmpty();
        c.runFor(FIRST_PAUSE);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 3 q");
        c.bucket.cancel(c.waiter("mallory"), c.now);
        c.opened(3);
        assertThat(c.orders()).as("which shows no room for more").containsExactly("attach eve 3");
        assertThat(c.bucket.isFull()).isTrue();
    }

    @Test
    void openingsBecomeMoreWithEachSuccessNotAllAtOnce() {
        Carrier c = new Carrier(limit(100).connectRate(new ConnectRateSettings(1000, 1000)));
        for (int i = 0; i < 50; i++) {
            c.ask("client " + i);
        }
        for (long id = 1; id <= 50; id++) {
            c.full(id);
        }
        c.orders();
        c.runFor(FIRST_PAUSE);
        List<Long> rounds = new ArrayList<>();
        for (long opens = opensIn(c.orders()); opens > 0; opens = opensIn(c.orders())) {
            rounds.add(opens);
            c.openAll();
        }
        assertThat(rounds).as("twice as many with each success").containsExactly(1L, 2L, 8L, 39L);
    }

    @Test
    void successOfAnOpeningThatBeganBeforeShowsNoRoom() {
        Carrier c = new Carrier(limit(10));
        c.ask("ana");
        c.ask("bo");
        c.full(1);
        c.opened(2);
        assertThat(c.bucket.isFull()).isTrue();
        assertThat(c.orders()).containsExactly("open 1 p", "open 2 p", "full", "attach ana 2");
    }

    @Test
    void otherLoginsWaitForTheSameRoom() {
        Carrier c = full(limit(10), "ana");
        c.ask("eve", c.bucket.pool("q", "eve"));
        c.askToBeLetIn("mallory", c.bucket.pool("r", "mallory"));
        assertThat(c.orders())
                .as("no login is tried beside the one that finds out")
                .isEmpty();
    }

    @Test
    void loginThatWasNeverAcceptedIsNotRefusedByAFullServer() {
        Carrier c = new Carrier(limit(10));
        c.askToBeLetIn("ana", c.pool);
        c.full(1);
        c.runFor(FIRST_PAUSE);
        c.opened(2);
        assertThat(c.orders()).containsExactly("open 1 p", "full", "open 2 p", "room", "attach ana 2");
    }

    @Test
    void requestThatWaitsTooLongTimesOut() {
        Carrier c = full(limit(10), "ana");
        for (long id = 3; c.now < Duration.ofSeconds(31).toNanos(); c.runFor(Duration.ofMillis(100))) {
            while (c.connection(id) != null) {
                c.full(id++);
            }
        }
        List<String> orders = c.orders();
        assertThat(orders).contains("refuse ana QUEUE_TIMEOUT");
        assertThat(opensIn(orders)).as("attempts in 30 s").isBetween(8L, 16L);
    }

    @Test
    void whoDoesNotWantToWaitIsRefused() {
        Carrier c = new Carrier(limit(10)
                .exhaustion(new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, Duration.ofSeconds(1))));
        c.ask("ana");
        c.full(1);
        c.ask("bo");
        assertThat(c.orders())
                .containsExactly("open 1 p", "full", "refuse ana POOL_EXHAUSTED", "refuse bo POOL_EXHAUSTED");
        c.runFor(FIRST_PAUSE);
        c.ask("cy");
        assertThat(c.orders()).as("somebody has to find out").containsExactly("open 2 p");
    }

    @Test
    void stockIsNotFilledWhileTheServerIsFullButOneConnectionTriesTo() {
        Carrier c = new Carrier(limit(10).minIdle(4));
        c.ask("ana");
        assertThat(opensIn(c.orders())).isGreaterThan(1);
        for (ServerConnection each : c.all()) {
            c.full(each.id());
        }
        c.bucket.cancel(c.waiter("ana"), c.now);
        c.orders();
        c.runFor(FIRST_PAUSE);
        assertThat(opensIn(c.orders())).isEqualTo(1);
    }

    @Test
    void serverThatGoesDownIsNoLongerFull() {
        Carrier c = full(limit(10), "ana");
        for (long id = 3; c.bucket.health() == HealthState.UP; id++) {
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            c.unreachable(id);
        }
        assertThat(c.orders()).endsWith("room", "health DOWN");
        assertThat(c.bucket.isFull()).isFalse();
    }

    @Test
    void serverThatWasDownAndIsFullIsUp() {
        Carrier c = new Carrier(limit(10));
        c.attached("old");
        c.closed(1);
        c.ask("ana");
        long id = 2;
        for (; c.bucket.health() == HealthState.UP; id++) {
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            c.unreachable(id);
        }
        for (; c.bucket.health() != HealthState.UP; id++) {
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            c.full(id);
        }
        assertThat(c.orders()).endsWith("health UP", "full");
    }

    @Test
    void snapshotTellsSinceWhenHowOftenAndWhy() {
        Carrier c = full(limit(10), "ana", "bo");
        long since = c.now;
        c.runFor(Duration.ofSeconds(1));
        RoomSnapshot room = c.bucket.snapshot().room();
        assertThat(room.full()).isTrue();
        assertThat(room.reason()).isEqualTo("17809");
        assertThat(room.since()).isEqualTo(since);
        assertThat(room.failures()).isEqualTo(2);
        assertThat(room.times()).isEqualTo(1);
        assertThat(c.bucket.snapshot().openFailures().get(OpenFailure.FULL)).isEqualTo(2);
    }

    @Test
    void snapshotDoesNotCallItFullWhenNobodyHasWantedAConnectionForAMinute() {
        Carrier c = full(limit(10), "ana");
        c.bucket.cancel(c.waiter("ana"), c.now);
        c.runFor(Duration.ofSeconds(59));
        assertThat(c.bucket.snapshot().room().full()).isTrue();
        c.runFor(Duration.ofSeconds(2));
        assertThat(c.bucket.snapshot().room().full()).isFalse();
    }

    @Test
    void loginWithoutItsSecretWaitsAndHarmsNobody() {
        Carrier c = new Carrier(limit(10));
        for (long id = 1; id < 6; id++) {
            c.ask("ana " + id);
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            c.events.openFailed(c.connection(id), OpenFailure.NO_CREDENTIALS, "exit code 1", c.now);
        }
        c.ask("eve", c.bucket.pool("q", "eve"));
        assertThat(c.orders()).noneMatch(o -> o.startsWith("health") || o.startsWith("refuse"));
        assertThat(c.bucket.isFailing()).isFalse();
        c.runFor(Duration.ofSeconds(1));
        c.openAll();
        assertThat(c.orders()).contains("attach ana 1 6", "attach ana 2 7", "attach eve 8");
    }
}

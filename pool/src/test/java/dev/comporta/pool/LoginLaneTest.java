package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.settings.QueueSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Logins that the server has to judge, beside the requests of those who are logged in. */
class LoginLaneTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static BucketSettings.Builder queue(int limit, int size) {
        return limit(limit).queue(new QueueSettings(PATIENCE, size));
    }

    /** A login of a pool of its own, as every guess is one. */
    private static void guess(Carrier c, int number) {
        c.askToBeLetIn("guess " + number, c.bucket.pool("guess " + number, "guess " + number));
    }

    @Test
    void loginsTakeNoPlaceInTheQueue() {
        Carrier c = new Carrier(queue(1, 2));
        c.attached("ana");
        for (int i = 0; i < 3; i++) {
            guess(c, i);
        }
        assertThat(c.orders()).isEmpty();
        c.ask("bob");
        c.ask("eve");
        assertThat(c.orders()).isEmpty();
        c.ask("joe");
        assertThat(c.orders()).containsExactly("refuse joe QUEUE_FULL");
    }

    @Test
    void theirOwnLineHasAnEnd() {
        Carrier c = new Carrier(queue(1, 2));
        c.attached("ana");
        guess(c, 0); // stands in the queue
        for (int i = 1; i <= LoginLane.MOST_WAITING; i++) {
            guess(c, i);
        }
        assertThat(c.orders()).isEmpty();
        guess(c, -1);
        assertThat(c.orders()).containsExactly("refuse guess -1 QUEUE_FULL");
        assertThat(c.bucket.snapshot().waiting()).isEqualTo(1 + LoginLane.MOST_WAITING);
    }

    @Test
    void oneInEightConnectionsIsWantedByLoginsWhileRequestsWait() {
        Carrier c = new Carrier(queue(16, 100));
        for (int i = 0; i < 16; i++) {
            c.attached("client " + i);
        }
        c.ask("bob");
        for (int i = 0; i < 20; i++) {
            guess(c, i);
        }
        for (int i = 0; i < 10; i++) {
            c.ask("late " + i);
        }
        c.orders();
        c.release(1);
        assertThat(c.orders()).containsExactly("attach bob 1");
        c.release(1);
        c.release(2);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED", "close 2 SLOT_NEEDED");
        c.release(3);
        c.release(4);
        assertThat(c.orders()).containsExactly("attach late 0 3", "attach late 1 4");
    }

    /** Each instance of the fleet has logins of its own: together they would take the whole bucket. */
    @Test
    void whereOtherInstancesHoldTheRestOneInEightOfItsOwnConnectionsIsForLogins() {
        Carrier c = new Carrier(queue(64, 100));
        for (int i = 0; i < 16; i++) {
            c.attached("client " + i);
        }
        assertThat(c.bucket.loginShare()).as("more can be had").isEqualTo(32);
        c.grants = false;
        c.ask("bob");
        c.bucket.leaseEvents().queued(1, c.now);
        assertThat(c.bucket.loginShare()).as("the fleet has no more").isEqualTo(2);
        c.bucket.leaseEvents().denied(1, c.now);
        assertThat(c.bucket.loginShare()).as("the store is away").isEqualTo(2);
    }

    @Test
    void loginIsTriedThoughRequestsNeverCease() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        c.ask("bob");
        guess(c, 0);
        c.ask("eve");
        c.release(1);
        assertThat(c.orders()).containsExactly("attach bob 1");
        c.release(1);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 guess 0");
        c.rejected(2);
        assertThat(c.orders()).containsExactly("refuse guess 0 LOGIN_REJECTED", "open 3 p");
        c.opened(3);
        assertThat(c.orders()).containsExactly("attach eve 3");
    }

    @Test
    void nextLoginStandsBehindThoseWhoWaitByThen() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        guess(c, 0);
        guess(c, 1);
        c.ask("bob");
        c.release(1);
        c.closed(1);
        c.rejected(2);
        c.opened(3);
        // The second login came before bob, and to the queue after him.
        assertThat(c.orders())
                .containsExactly(
                        "close 1 SLOT_NEEDED",
                        "open 2 guess 0",
                        "refuse guess 0 LOGIN_REJECTED",
                        "open 3 p",
                        "attach bob 3");
    }

    @Test
    void halfOfTheConnectionsMayBeLoginsWhereSlotsAreFreeAndNobodyWaits() {
        Carrier c = new Carrier(queue(16, 100));
        for (int i = 0; i < 20; i++) {
            guess(c, i);
        }
        assertThat(c.orders()).hasSize(8).allMatch(order -> order.startsWith("open "));
        c.rejected(1);
        assertThat(c.orders()).containsExactly("refuse guess 0 LOGIN_REJECTED", "open 9 guess 8");
    }

    @Test
    void requestsThatWaitForTheLimitOfTheirLoginKeepOtherLoginsToTheirShare() {
        LoginSettings limited = new LoginSettings(0, false, Map.of("ana", new LoginSettings.Rule(1, 1)));
        Carrier c = new Carrier(queue(16, 100).logins(limited));
        c.attached("ana");
        c.ask("bob");
        c.orders();
        for (int i = 0; i < 20; i++) {
            guess(c, i);
        }
        assertThat(c.orders()).containsExactly("open 2 guess 0", "open 3 guess 1");
    }

    @Test
    void guessesCloseNoMoreIdleConnectionsThanTheirShare() {
        Carrier c = new Carrier(queue(16, 100));
        for (int i = 0; i < 16; i++) {
            c.attached("client " + i);
        }
        for (long id = 1; id <= 16; id++) {
            c.release(id);
        }
        for (int i = 0; i < 20; i++) {
            guess(c, i);
        }
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED", "close 2 SLOT_NEEDED");
    }

    @Test
    void loginFromTheLaneHasTheWholePatienceOfTheQueue() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        guess(c, 0);
        c.pass(Duration.ofSeconds(1));
        guess(c, 1);
        c.runFor(Duration.ofSeconds(9));
        assertThat(c.orders()).containsExactly("refuse guess 0 QUEUE_TIMEOUT");
        // The second has come to the queue by now.
        assertThat(c.bucket.nextDeadline()).isEqualTo(c.now + PATIENCE.toNanos());
        c.release(1);
        c.closed(1);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED", "open 2 guess 1");
    }

    @Test
    void loginsExpireInTheLane() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        for (int i = 0; i < 3; i++) {
            guess(c, i);
        }
        c.runFor(PATIENCE);
        assertThat(c.orders())
                .containsExactlyInAnyOrder(
                        "refuse guess 0 QUEUE_TIMEOUT", "refuse guess 1 QUEUE_TIMEOUT", "refuse guess 2 QUEUE_TIMEOUT");
    }

    @Test
    void loginCanBeCancelledInTheLane() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        guess(c, 0);
        guess(c, 1);
        assertThat(c.bucket.cancel(c.waiter("guess 1"), c.now)).isTrue();
        assertThat(c.bucket.snapshot().waiting()).isEqualTo(1);
        assertThat(c.waiter("guess 1").status()).isEqualTo(Waiter.Status.IDLE);
    }

    @Test
    void loginsInTheLaneOfARetiredPoolAreRefused() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        guess(c, 0);
        guess(c, 1);
        c.bucket.control().retire(c.bucket.pool("guess 1", "guess 1"), c.now);
        assertThat(c.orders()).containsExactly("refuse guess 1 REMOVED");
    }

    @Test
    void laneIsClearedWithTheBucket() {
        Carrier c = new Carrier(queue(1, 100));
        c.attached("ana");
        guess(c, 0);
        guess(c, 1);
        c.bucket.control().remove(c.now);
        assertThat(c.orders()).containsExactly("refuse guess 1 REMOVED", "refuse guess 0 REMOVED");
    }

    @Test
    void laneIsClearedWhenTheServerIsDownAndNobodyIsToWaitForIt() {
        HealthSettings d = HealthSettings.DEFAULTS;
        Carrier c = new Carrier(limit(2).queue(new QueueSettings(PATIENCE, 100, QueueSettings.WhenDown.REFUSE))
                .health(new HealthSettings(
                        d.check(), d.interval(), d.timeout(), 1, d.recoveryThreshold(), d.backoff(), d.maxBackoff())));
        for (int i = 0; i < 3; i++) {
            guess(c, i);
        }
        assertThat(c.orders()).as("half of the connections").containsExactly("open 1 guess 0");
        c.unreachable(1);
        assertThat(c.orders())
                .containsExactlyInAnyOrder(
                        "health DOWN",
                        "refuse guess 0 SERVER_UNAVAILABLE",
                        "refuse guess 1 SERVER_UNAVAILABLE",
                        "refuse guess 2 SERVER_UNAVAILABLE");
    }

    @Test
    void loginAtItsOwnLimitKeepsUpNeitherOthersNorItsRequests() {
        LoginSettings limited = new LoginSettings(0, false, Map.of("ana", new LoginSettings.Rule(1, 1)));
        Carrier c = new Carrier(queue(3, 100).logins(limited));
        c.attached("ana");
        for (int i = 0; i < 5; i++) {
            c.askToBeLetIn("wrong " + i, c.bucket.pool("wrong " + i, "ana"));
        }
        assertThat(c.orders()).isEmpty();
        guess(c, 0);
        assertThat(c.orders()).containsExactly("open 2 guess 0");
        c.ask("bob");
        c.release(1);
        c.closed(1);
        c.rejected(3);
        // One wrong password was tried before bob, who came after five of them.
        assertThat(c.orders())
                .containsExactly("close 1 SLOT_NEEDED", "open 3 wrong 0", "refuse wrong 0 LOGIN_REJECTED", "open 4 p");
    }

    @Test
    void wrongPasswordsOfALoginAtItsLimitAreNotLookedAtWithEveryRequest() {
        LoginSettings limited = new LoginSettings(0, false, Map.of("ana", new LoginSettings.Rule(1, 1)));
        Carrier c = new Carrier(queue(20, 100).logins(limited));
        c.attached("ana");
        for (int i = 0; i < 900; i++) {
            c.askToBeLetIn("wrong " + i, c.bucket.pool("wrong " + i, "ana"));
        }
        assertThat(c.bucket.lane.size()).isEqualTo(899);
        assertThat(c.bucket.lane.inLine()).isZero();
        assertThat(c.bucket.waiters()).hasSize(900);
        assertThat(c.bucket.waiters().getFirst().client()).isEqualTo("wrong 0");
        // They leave as others do: by themselves, with their pool, and when their time is over.
        c.bucket.cancel(c.waiter("wrong 1"), c.now);
        c.bucket.control().retire(c.bucket.pool("wrong 2", "ana"), c.now);
        assertThat(c.orders()).containsExactly("refuse wrong 2 REMOVED");
        assertThat(c.bucket.lane.size()).isEqualTo(897);
        c.passAndTick(PATIENCE);
        assertThat(c.orders()).hasSize(898).first().isEqualTo("refuse wrong 0 QUEUE_TIMEOUT");
        assertThat(c.bucket.lane.size()).isZero();
    }

    @Test
    void loginsThatWereHeldUpGoOnInTheOrderOfTheirArrival() {
        LoginSettings limited = new LoginSettings(0, false, Map.of("ana", new LoginSettings.Rule(1, 1)));
        Carrier c = new Carrier(queue(8, 100).logins(limited));
        c.attached("ana");
        for (int i = 0; i < 3; i++) {
            c.askToBeLetIn("wrong " + i, c.bucket.pool("wrong " + i, "ana"));
        }
        c.release(1);
        c.closed(1);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED", "open 2 wrong 0");
        c.rejected(2);
        c.rejected(3);
        c.rejected(4);
        assertThat(c.orders())
                .containsExactly(
                        "refuse wrong 0 LOGIN_REJECTED",
                        "open 3 wrong 1",
                        "refuse wrong 1 LOGIN_REJECTED",
                        "open 4 wrong 2",
                        "refuse wrong 2 LOGIN_REJECTED");
    }

    @Test
    void loginThatMayBeWrongIsNotStockedFor() {
        Carrier c = new Carrier(limit(5).minIdle(2));
        guess(c, 0);
        assertThat(c.orders()).containsExactly("open 1 guess 0");
    }
}

package dev.comporta.pool.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.ManualThread;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each deadline of a bucket is met by the runner alone: no test here ticks, and nothing else happens meanwhile. */
class BucketRunnerTest implements Orders, LeasePort {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualThread thread = new ManualThread(0);
    private final List<String> orders = new ArrayList<>();
    private final List<ServerConnection> opened = new ArrayList<>();
    private boolean grants = true;
    private boolean expired;
    private BucketRunner runner = runner(limit(1));
    private Pool pool = runner.pool("p", "ana");

    private static BucketSettings.Builder limit(int max) {
        return BucketSettings.DEFAULTS.but().maxConnections(max).minIdle(0);
    }

    private BucketRunner runner(BucketSettings.Builder settings) {
        return new BucketRunner(
                "b",
                settings.build(),
                thread,
                thread::now,
                this,
                (_, _) -> this,
                new SplittableRandom(1),
                SessionDistance.EQUAL_OR_NOT);
    }

    private void with(BucketSettings.Builder settings) {
        runner = runner(settings);
        pool = runner.pool("p", "ana");
    }

    private Waiter ask(String client) {
        Waiter waiter = new Waiter(client);
        runner.request(waiter, pool, null);
        return waiter;
    }

    private ServerConnection attached(String client) {
        ask(client);
        runner.opened(opened.getLast(), null);
        orders.clear();
        return opened.getLast();
    }

    private void pass(Duration time) {
        thread.run(time.toNanos());
    }

    /** The order is given when so much time has passed, and not before. */
    private void assertGivenAfter(Duration time, String order) {
        pass(time.minusNanos(1));
        assertThat(orders).as("early").doesNotContain(order);
        pass(Duration.ofNanos(1));
        assertThat(orders).contains(order);
    }

    @Test
    void waiterIsRefusedAtItsQueueTimeout() {
        with(limit(1).queue(new QueueSettings(SECOND, 10)));
        attached("ana");
        ask("bob");
        assertGivenAfter(SECOND, "refuse bob QUEUE_TIMEOUT");
    }

    @Test
    void loginInItsLaneIsRefusedAtTheQueueTimeout() {
        with(limit(1).queue(new QueueSettings(SECOND, 10)));
        attached("ana");
        runner.requestLogin(new Waiter("bob"), pool, null);
        runner.requestLogin(new Waiter("eve"), pool, null);
        assertGivenAfter(SECOND, "refuse eve QUEUE_TIMEOUT");
    }

    @Test
    void connectThatTakesTooLongIsCalledOff() {
        with(limit(1).connectionTimeout(SECOND));
        ask("ana");
        assertGivenAfter(SECOND, "close 1 CONNECT_TIMEOUT");
    }

    @Test
    void connectIsTriedAgainAfterItsPause() {
        ask("ana");
        runner.openFailed(opened.getLast(), OpenFailure.UNREACHABLE, "refused");
        orders.clear();
        pass(Duration.ofMillis(1));
        assertThat(orders).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(orders).first().asString().startsWith("open");
    }

    @Test
    void rejectedLoginIsTriedAgainAfterItsPause() {
        Waiter ana = ask("ana");
        runner.openFailed(opened.getLast(), OpenFailure.LOGIN_REJECTED, "18456");
        runner.warmUp(pool, 1, thread.now() + Duration.ofMinutes(5).toNanos());
        orders.clear();
        pass(Duration.ofMillis(1));
        assertThat(orders).isEmpty();
        pass(Duration.ofMinutes(2));
        assertThat(orders).contains("open 2");
        assertThat(ana.status()).isEqualTo(Waiter.Status.IDLE);
    }

    @Test
    void connectsFollowEachOtherAtTheConnectRate() {
        with(limit(3).connectRate(new ConnectRateSettings(1, 1)));
        ask("ana");
        ask("bob");
        ask("eve");
        assertThat(orders).containsExactly("open 1");
        pass(SECOND);
        assertThat(orders).as("the server might see both within a second").containsExactly("open 1");
        pass(Duration.ofMillis(60));
        assertThat(orders).containsExactly("open 1", "open 2");
        pass(Duration.ofMillis(1060));
        assertThat(orders).containsExactly("open 1", "open 2", "open 3");
    }

    @Test
    void slotThatWasDeniedIsAskedForAgain() {
        grants = false;
        with(limit(1).leaseRetry(SECOND));
        ask("ana");
        runner.denied(1);
        orders.clear();
        assertGivenAfter(SECOND, "ask 1");
    }

    @Test
    void uncleanConnectionIsResetWhenItHasRested() {
        runner.release(attached("ana"), null, false);
        assertGivenAfter(Duration.ofMillis(100), "reset 1");
    }

    @Test
    void resetThatTakesTooLongEndsTheConnection() {
        with(limit(1).health(BucketSettings.DEFAULTS.health()));
        runner.releaseDirty(attached("ana"));
        assertGivenAfter(BucketSettings.DEFAULTS.health().timeout(), "close 1 RESET_FAILED");
        assertThat(orders).containsExactly("reset 1", "close 1 RESET_FAILED");
    }

    /** The reset is ordered by the event of a client that leaves. */
    @Test
    void resetAfterItsClientLeftTakesNoLongerEither() {
        ServerConnection c = attached("ana");
        Waiter ana = c.waiter();
        runner.release(c, null, false);
        runner.forget(ana);
        assertGivenAfter(BucketSettings.DEFAULTS.health().timeout(), "close 1 RESET_FAILED");
        assertThat(orders).containsExactly("reset 1", "close 1 RESET_FAILED");
    }

    @Test
    void idleConnectionIsClosedAfterItsIdleTime() {
        with(limit(1).maxIdleTime(SECOND));
        runner.release(attached("ana"), null, true);
        assertGivenAfter(SECOND, "close 1 IDLE");
    }

    @Test
    void idleConnectionIsCheckedAtItsInterval() {
        runner.release(attached("ana"), null, true);
        Duration interval = BucketSettings.DEFAULTS.health().interval();
        pass(interval.minusNanos(1));
        assertThat(orders).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(orders).containsExactly("validate 1");
    }

    @Test
    void connectionIsClosedAtTheEndOfItsLifetime() {
        Duration life = Duration.ofMinutes(10);
        with(limit(1).maxIdleTime(Duration.ofDays(2))
                .reservoir(new ReservoirSettings(0, 0, 1, 1, life, Duration.ZERO, Duration.ZERO, Duration.ZERO))
                .health(new HealthSettings(HealthSettings.Check.PING, Duration.ZERO, SECOND, 3, 2, SECOND, SECOND)));
        runner.release(attached("ana"), null, true);
        assertGivenAfter(life, "close 1 LIFETIME");
    }

    @Test
    void warmUpEndsAtItsDeadline() {
        runner.warmUp(pool, 1, thread.now() + SECOND.toNanos());
        orders.clear();
        assertGivenAfter(SECOND, "warmed up 0 of 1");
    }

    @Test
    void serverThatIsDownIsProbed() {
        for (int i = 0; i < 10 && runner.health() == HealthState.UP; i++) {
            ask("client " + i);
            runner.openFailed(opened.getLast(), OpenFailure.UNREACHABLE, "refused");
            pass(Duration.ofSeconds(5));
        }
        assertThat(runner.health()).isNotEqualTo(HealthState.UP);
        int tried = opened.size();
        runner.openFailed(opened.getLast(), OpenFailure.UNREACHABLE, "refused");
        pass(Duration.ofSeconds(5));
        assertThat(opened).hasSizeGreaterThan(tried);
    }

    @Test
    void poolThatNobodyAsksForIsForgotten() {
        pass(BucketSettings.DEFAULTS.maxIdleTime().minusNanos(1));
        assertThat(runner.knows(pool)).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(runner.knows(pool)).isFalse();
    }

    @Test
    void ordersBehindOneThatThrewAreGivenAtOnce() {
        with(limit(1));
        attached("ana");
        ask("bob");
        ask("eve");
        orders.clear();
        throwing = true;
        try {
            runner.remove();
        } catch (IllegalStateException carriersBug) {
            orders.add("thrown");
        }
        pass(Duration.ZERO);
        assertThat(orders).containsExactly("refuse bob REMOVED", "thrown", "refuse eve REMOVED");
    }

    @Test
    void leaseIsEnforcedBeforeAnEventThatMayAttach() {
        runner.release(attached("ana"), null, true);
        expired = true;
        ask("bob");
        assertThat(orders).first().isEqualTo("close 1 REVOKED");
    }

    @Test
    void connectionWhoseLeaseHasEndedMayNotBeUsed() {
        ServerConnection c = attached("ana");
        assertThat(runner.mayUse(c)).isTrue();
        expired = true;
        assertThat(runner.mayUse(c)).isFalse();
    }

    @Test
    void drainedBucketLeavesNoAlarmBehind() {
        ServerConnection c = attached("ana");
        runner.remove();
        runner.release(c, null, true);
        runner.closed(c);
        assertThat(runner.isDrained()).isTrue();
        assertThat(thread.nextTask()).isEqualTo(Long.MAX_VALUE);
    }

    private boolean throwing;

    @Override
    public void attach(Waiter waiter, ServerConnection c) {
        orders.add("attach " + waiter.client());
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        orders.add("refuse " + waiter.client() + " " + why);
        if (throwing) {
            throwing = false;
            throw new IllegalStateException("carrier's bug");
        }
    }

    @Override
    public void open(ServerConnection c) {
        opened.add(c);
        orders.add("open " + c.id());
    }

    @Override
    public void close(ServerConnection c, CloseReason why) {
        orders.add("close " + c.id() + " " + why);
    }

    @Override
    public void reset(ServerConnection c) {
        orders.add("reset " + c.id());
    }

    @Override
    public void validate(ServerConnection c, HealthSettings.Check how) {
        orders.add("validate " + c.id());
    }

    @Override
    public void warmedUp(Pool of, int ready, int wanted) {
        orders.add("warmed up " + ready + " of " + wanted);
    }

    @Override
    public int ask(int slots, Patience patience) {
        if (!grants) {
            orders.add("ask " + slots);
        }
        return grants ? slots : 0;
    }

    @Override
    public void withdraw(int slots) {}

    @Override
    public void giveBack(int slots) {}

    @Override
    public void enforce() {
        if (expired) {
            expired = false;
            runner.revoked(1);
        }
    }
}

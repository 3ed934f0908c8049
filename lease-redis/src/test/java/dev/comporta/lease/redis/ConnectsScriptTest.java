package dev.comporta.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.url.SettingNames;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The script of the connect rate, in a real Redis and a time of the test's own. */
class ConnectsScriptTest {
    private static final long SECOND = 1_000_000;
    private static final long COUNTS = 1_070_000;
    /** What Redis answers of a key that it keeps for ever. */
    private static final long NO_END = -1;

    private static final String TOKENS = "x:{orders}:connects";
    private static final String WINDOW = "x:{orders}:connects:window";

    /** As versions without the window have it: it knows the first key alone. */
    private static final LeaseScript WITHOUT_WINDOW = LeaseScript.of("""
            local wanted, burst = tonumber(ARGV[1]), tonumber(ARGV[3])
            local interval = 1000000 / tonumber(ARGV[2])
            local t = { ARGV[4], ARGV[5] }
            local now = t[1] * 1000000 + t[2]
            local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
            local there = burst - math.ceil((full - now) / interval)
            local allowed = math.max(0, math.min(wanted, there))
            if allowed > 0 then
              full = full + allowed * interval
              redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', 100000)
            end
            local untilNext = full - now - (burst - 1) * interval
            return { allowed, math.max(1, math.ceil(untilNext / 1000)) }
            """, 1);

    private static final LeaseScript WIPE =
            LeaseScript.of("redis.call('DEL', KEYS[1]) redis.call('DEL', KEYS[2]) return {}", 2);

    private record Grant(long at, int connects) {}

    private RedisProcess redis;
    private RedisLink link;
    private final List<Grant> grants = new ArrayList<>();
    /** Microseconds. */
    private long now = 1_700_000_000L * SECOND;

    @BeforeEach
    void connect() throws IOException {
        redis = new RedisProcess();
        link = new RedisLink(redis.endpoint(), new RedisTrouble(SettingNames.KEYS), (_, _) -> {});
        link.mend();
    }

    @AfterEach
    void stop() throws IOException {
        link.close();
        redis.close();
    }

    /** Redis forgets keys by its own clock: in the test's time nothing is forgotten. */
    private static LeaseScript withOwnClock() {
        String text = LeaseScript.CONNECTS.text();
        String changed = text.replace("redis.call('TIME')", "{ ARGV[5], ARGV[6] }")
                .replaceAll("'PX', [^\\n]*\\)\\n", "'PX', 100000)\n");
        assertThat(changed)
                .isNotEqualTo(text)
                .contains("ARGV[5]")
                .containsOnlyOnce("string.format('%.0f', full), 'PX', 100000)");
        return LeaseScript.of(changed, 2);
    }

    private static final LeaseScript SCRIPT = withOwnClock();

    private ConnectPermits ask(int wanted, ConnectRateSettings rate) {
        return ask(wanted, rate, COUNTS);
    }

    private ConnectPermits ask(int wanted, ConnectRateSettings rate, long counts) {
        ConnectPermits answer = permits(
                SCRIPT,
                WINDOW,
                Integer.toString(wanted),
                Integer.toString(rate.perSecond()),
                Integer.toString(rate.burst()),
                Long.toString(counts),
                Long.toString(now / SECOND),
                Long.toString(now % SECOND));
        if (answer.granted() > 0) {
            grants.add(new Grant(now, answer.granted()));
        }
        return answer;
    }

    private ConnectPermits askAsBefore(int wanted, ConnectRateSettings rate) {
        return permits(
                WITHOUT_WINDOW,
                Integer.toString(wanted),
                Integer.toString(rate.perSecond()),
                Integer.toString(rate.burst()),
                Long.toString(now / SECOND),
                Long.toString(now % SECOND));
    }

    private ConnectPermits permits(LeaseScript script, String... arguments) {
        return LeaseMessages.permits(
                link.run(script, TOKENS, arguments).toCompletableFuture().join(), 0);
    }

    private void wipe() {
        link.run(WIPE, TOKENS, WINDOW).toCompletableFuture().join();
        grants.clear();
    }

    private long most(long within) {
        long most = 0;
        for (Grant first : grants) {
            long sum = 0;
            for (Grant g : grants) {
                sum += g.at >= first.at && g.at < first.at + within ? g.connects : 0;
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    @Test
    void noMoreThanTheRateCountAtATimeAndTheTimeToRetryIsExact() {
        for (int seed = 0; seed < 40; seed++) {
            wipe();
            SplittableRandom random = new SplittableRandom(seed);
            ConnectRateSettings rate = new ConnectRateSettings(random.nextInt(1, 200), random.nextInt(1, 250));
            for (int i = 0; i < 100; i++) {
                now += random.nextInt(4) == 0 ? random.nextLong(SECOND / 2) : random.nextLong(20_000);
                ConnectPermits answer = ask(random.nextInt(1, 50), rate);
                ConnectPermits refused = ask(1, rate);
                if (refused.granted() == 0) {
                    long asked = now;
                    now = asked + (refused.retryInMillis() - 1) * 1000;
                    assertThat(ask(1, rate).granted())
                            .as("seed %d, %s: early", seed, answer)
                            .isZero();
                    now = asked + refused.retryInMillis() * 1000;
                    assertThat(ask(1, rate).granted())
                            .as("seed %d, %s: then", seed, answer)
                            .isEqualTo(1);
                }
            }
            assertThat(most(COUNTS)).as("seed %d", seed).isLessThanOrEqualTo(rate.perSecond());
        }
    }

    @Test
    void nineTenthsOfTheRateAreUsedUnderConstantDemand() {
        ConnectRateSettings rate = new ConnectRateSettings(100, 10);
        long start = now;
        while (now < start + 10 * SECOND) {
            now += ask(100, rate).retryInMillis() * 1000;
        }
        long inAll = grants.stream().mapToLong(Grant::connects).sum();
        assertThat(inAll).isGreaterThanOrEqualTo(900);
        assertThat(most(SECOND)).isLessThanOrEqualTo(100);
    }

    @Test
    void clockOfRedisThatIsSetBackGivesNothingAway() {
        ConnectRateSettings rate = new ConnectRateSettings(10, 10);
        assertThat(ask(10, rate).granted()).isEqualTo(10);
        now -= 3600 * SECOND;
        ConnectPermits refused = ask(1, rate);
        assertThat(refused.granted()).isZero();
        assertThat(refused.retryInMillis())
                .as("as long as if the time had stood still")
                .isBetween(1060L, 1080L);
        now += refused.retryInMillis() * 1000;
        assertThat(ask(10, rate).granted()).isEqualTo(10);
    }

    @Test
    void raisedRateHoldsAtOnce() {
        assertThat(ask(5, new ConnectRateSettings(5, 5)).granted()).isEqualTo(5);
        ConnectRateSettings raised = new ConnectRateSettings(100, 1);
        ConnectPermits refused = ask(5, raised);
        assertThat(refused.granted()).isZero();
        assertThat(refused.retryInMillis()).isEqualTo(10);
        now += 10_000;
        assertThat(ask(5, raised).granted()).isEqualTo(1);
    }

    @Test
    void instancesOfVersionsWithoutTheWindowTakeFromTheSameTokenBucket() {
        ConnectRateSettings rate = new ConnectRateSettings(10, 5);
        assertThat(askAsBefore(3, rate).granted()).isEqualTo(3);
        assertThat(ask(5, rate).granted()).isEqualTo(2);
        assertThat(askAsBefore(5, rate).granted()).isZero();
        now += 100_000;
        assertThat(askAsBefore(5, rate).granted()).isEqualTo(1);
        assertThat(ask(5, rate).granted()).isZero();
    }

    private long livesFor(String key) {
        return Long.parseLong(redis.ask("PTTL " + key).strip().replace(":", "").split("\\s", -1)[0]);
    }

    private void askInRedisTime(int connects, long counts) {
        ConnectPermits answer =
                permits(LeaseScript.CONNECTS, WINDOW, Integer.toString(connects), "10", "10", Long.toString(counts));
        assertThat(answer.granted()).isEqualTo(connects);
    }

    /** In the time of Redis, which forgets keys by it. */
    @Test
    void keysLastForAsLongAsTheyMatterAndNoLonger() {
        askInRedisTime(3, 60 * SECOND);
        assertThat(livesFor(TOKENS)).isLessThanOrEqualTo(301).isNotEqualTo(NO_END);
        assertThat(livesFor(WINDOW)).isBetween(50_000L, 60_020L);
        askInRedisTime(1, SECOND);
        assertThat(livesFor(TOKENS)).isLessThanOrEqualTo(401).isNotEqualTo(NO_END);
        assertThat(livesFor(WINDOW)).as("that of what counts the longest").isBetween(50_000L, 60_020L);
    }
}

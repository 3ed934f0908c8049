package dev.comporta.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseBook;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import dev.comporta.lease.url.SettingNames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The script in Redis does what the model checker was shown: random calls, sane and insane, at random times, on servers
 * that change; after each the answers and the announcements are the same.
 */
@Isolated
class ScriptConformanceTest {
    private static final int RUNS = 40;
    private static final int CALLS = 60;
    private static final long TTL = 2000;
    private static final String BOOKS = "proxy:{conformance}:slots";

    /** The script with a clock and a server that the test sets. */
    private static LeaseScript withOwnClock() {
        String text = LeaseScript.LEASE.text();
        String changed = text.replace("local now = clock()", "local now = tonumber(ARGV[19])")
                .replace("local run, uptime = server()", "local run, uptime = ARGV[20], tonumber(ARGV[21])");
        assertThat(changed).contains("ARGV[19]").contains("ARGV[20]");
        return LeaseScript.of(changed, 1);
    }

    /** What the script decides is in question, not how soon: a machine that is busy with other tests may take its time. */
    private static RedisEndpoint patient(RedisProcess redis) {
        return redis.endpoint().withCommandTimeout(Duration.ofSeconds(20));
    }

    @Test
    void scriptDecidesAsTheModelDoes() throws Exception {
        List<String> heard = java.util.Collections.synchronizedList(new ArrayList<>());
        try (RedisProcess redis = new RedisProcess();
                RedisLink link = new RedisLink(
                        patient(redis),
                        new RedisTrouble(SettingNames.KEYS),
                        (channel, text) -> heard.add(channel + " " + text))) {
            org.awaitility.Awaitility.await().until(() -> {
                link.mend();
                return !link.isBroken();
            });
            for (String name : List.of("a", "b", "c")) {
                link.listen("to:" + name);
                org.awaitility.Awaitility.await().until(() -> redis.listeners("to:" + name) == 1);
            }
            LeaseScript script = withOwnClock();
            Set<String> reached = new TreeSet<>();
            for (int seed = 0; seed < RUNS; seed++) {
                heard.clear();
                new Run(link, script, seed).go(heard, reached);
            }
            assertThat(reached).as("what no call comes to is not compared").containsExactlyInAnyOrder(EVERYTHING);
        }
    }

    private static final String[] EVERYTHING = Stream.concat(
                    Arrays.stream(LeaseCall.Form.values())
                            .flatMap(form ->
                                    Arrays.stream(LeaseReply.Status.values()).map(status -> form + " " + status)),
                    Stream.of(
                            "acknowledged what was lost",
                            "granted",
                            "soft",
                            "hard",
                            "announced a grant",
                            "announced soft",
                            "announced hard"))
            .toArray(String[]::new);

    private static void note(Set<String> reached, LeaseCall call, LeaseReply reply) {
        reached.add(call.form() + " " + reply.status());
        addIf(reply.status() == LeaseReply.Status.AGAIN && call.acked() > 0, "acknowledged what was lost", reached);
        addIf(reply.granted() > call.seen(), "granted", reached);
        addIf(reply.soft() > 0, "soft", reached);
        addIf(reply.hard() > 0, "hard", reached);
    }

    private static void addIf(boolean is, String what, Set<String> reached) {
        if (is) {
            reached.add(what);
        }
    }

    private static final class Run {
        private final RedisLink link;
        private final LeaseScript script;
        private final int seed;
        private final RandomGenerator random;
        private final LeaseBook book = new LeaseBook();
        private final Map<String, long[]> totals = new TreeMap<>();
        private long now = 1_700_000_000_000L;
        private int server = 1;
        private long seq;

        Run(RedisLink link, LeaseScript script, int seed) {
            this.link = link;
            this.script = script;
            this.seed = seed;
            random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        }

        void go(List<String> heard, Set<String> reached) throws IOException, InterruptedException, ExecutionException {
            LeaseScript wipe = LeaseScript.of("redis.call('DEL', KEYS[1]) return {}", 1);
            link.run(wipe, BOOKS).toCompletableFuture().get();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                now += random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(300);
                now -= random.nextInt(20) == 0 ? random.nextInt(10_000) : 0; // the clock is set back
                server += random.nextInt(25) == 0 ? 1 : 0;
                String name = List.of("a", "b", "c").get(random.nextInt(3));
                LeaseCall call = call(name);
                boolean upForLong = random.nextBoolean();
                LeaseReply wanted = book.lease(name, call, "server" + server, upForLong, TTL, now);
                for (LeaseBook.Announcement a : book.takeAnnouncements()) {
                    expected.add("to:" + a.to() + " " + a.incarnation() + " " + a.granted() + " " + a.soft() + " "
                            + a.hard());
                    addIf(a.soft() + a.hard() == 0, "announced a grant", reached);
                    addIf(a.soft() > 0, "announced soft", reached);
                    addIf(a.hard() > 0, "announced hard", reached);
                }
                LeaseReply got = inRedis(name, call, upForLong);
                assertThat(got)
                        .as("seed %d, call %d: %s by %s", seed, i, call, name)
                        .isEqualTo(wanted);
                note(reached, call, got);
                follow(name, call, got);
            }
            org.awaitility.Awaitility.await().until(() -> heard.size() >= expected.size());
            assertThat(heard).as("seed %d", seed).isEqualTo(expected);
        }

        private LeaseReply inRedis(String name, LeaseCall call, boolean upForLong)
                throws InterruptedException, ExecutionException {
            List<String> arguments = new ArrayList<>(List.of(LeaseMessages.arguments(name, "to:", false, call, TTL)));
            arguments.add(Long.toString(now));
            arguments.add("server" + server);
            arguments.add(upForLong ? "100" : "0");
            return LeaseMessages.reply(link.run(script, BOOKS, arguments.toArray(new String[0]))
                    .toCompletableFuture()
                    .get());
        }

        /** Mostly what an instance would say, sometimes what it must not. */
        private LeaseCall call(String name) {
            long[] t = totals.computeIfAbsent(name, n -> new long[] {1_700_000_000_000_000L, 0, 0, 0, 0});
            boolean insane = random.nextInt(10) == 0;
            boolean overtaken = random.nextInt(5) == 0;
            t[4] = overtaken ? t[4] : ++seq;
            LeaseCall.Form form = t[3] == 0
                    ? random.nextBoolean() ? LeaseCall.Form.JOIN : LeaseCall.Form.HELLO
                    : random.nextInt(insane ? 3 : 12) == 0 ? LeaseCall.Form.BYE : LeaseCall.Form.SYNC;
            long seen = t[1] + (insane ? random.nextInt(3) : 0);
            long returned = Math.min(seen, t[2] + random.nextInt(2));
            t[2] = returned;
            return new LeaseCall(
                    form,
                    t[0] - (insane ? random.nextInt(4) : 0),
                    t[4],
                    insane && random.nextBoolean() ? t[4] + 1 : 0, // an answer that the store knows nothing of
                    seen,
                    returned,
                    seen + random.nextInt(4),
                    random.nextInt(3) == 0 ? random.nextInt(3) : 0,
                    random.nextInt(3) == 0 ? random.nextInt(3) : 0,
                    limit(form),
                    3,
                    0);
        }

        /** Started with one limit or another, and changed now and then: by those who know of the last change, or not. */
        private LimitWord limit(LeaseCall.Form form) {
            int most = seed % 2 == 0 ? 5 : 2; // more than there are instances, or less
            LimitWord started = LimitWord.asStarted(random.nextInt(10) == 0 ? most - 1 : most);
            if (form == LeaseCall.Form.JOIN || random.nextInt(4) == 0) {
                return started;
            }
            long version = random.nextInt(4);
            return new LimitWord(
                    started.max(),
                    version,
                    new LimitWord.Change(version + random.nextInt(2), most - 2 + random.nextInt(4)));
        }

        private void follow(String name, LeaseCall call, LeaseReply reply) {
            long[] t = java.util.Objects.requireNonNull(totals.get(name));
            switch (reply.status()) {
                case OK -> {
                    t[3] = call.form() == LeaseCall.Form.BYE ? 0 : 1;
                    t[1] = Math.max(t[1], reply.granted());
                }
                case AGAIN, SUPERSEDED -> t[3] = 0;
            }
            if (t[3] == 0) {
                t[0]++;
                t[1] -= t[2];
                t[2] = 0;
            }
        }
    }
}

package dev.comporta.e2e.fleet;

import dev.comporta.lease.redis.testkit.CutOffRelay;
import dev.comporta.lease.redis.testkit.RedisProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One Redis, to which each instance has a way of its own. */
final class OneRedis implements WayToStore, AutoCloseable {
    private static final Pattern SCRIPT_RUNS = Pattern.compile("cmdstat_(?:eval|evalsha):calls=(\\d+)");

    /** An instance's, in a bucket's books. */
    private static final Pattern ENTRY = Pattern.compile("\\{[^}]*}");

    /** What tells the calls of an instance apart, in its entry. */
    private static final Pattern CALL = Pattern.compile("\"(?:incarnation|seq)\":\"?\\d+");

    final RedisProcess server = new RedisProcess();
    private final Map<String, CutOffRelay> ways = new HashMap<>();

    OneRedis() throws IOException {}

    CutOffRelay wayOf(ProxyProcess instance) {
        return ways.get(instance.name);
    }

    @Override
    public String settingsFor(String instance) throws IOException {
        CutOffRelay way = ways.get(instance);
        if (way == null) {
            way = new CutOffRelay(server.port());
            ways.put(instance, way);
        }
        return "addr: \"127.0.0.1:" + way.port() + "\"";
    }

    /** Whether nobody with less than its share stands in line: then no slot has to move until somebody does. */
    boolean isSettled(ServedBucket bucket, int share) {
        Matcher entries = ENTRY.matcher(server.ask("HGETALL proxy:{" + bucket.name + "}:slots"));
        boolean found = false;
        while (entries.find()) {
            found = true;
            int granted = number(entries.group(), "granted");
            boolean waits = number(entries.group(), "asked") > granted;
            if (waits && granted - number(entries.group(), "returned") < share) {
                return false;
            }
        }
        return found;
    }

    /** The slots that are held, by Redis' books. */
    int held(ServedBucket bucket) {
        int held = 0;
        Matcher entries = ENTRY.matcher(server.ask("HGETALL proxy:{" + bucket.name + "}:slots"));
        while (entries.find()) {
            held += number(entries.group(), "granted") - number(entries.group(), "returned");
        }
        return held;
    }

    /** Which call of this instance Redis has heard last; empty when it has heard none, or thinks it dead. */
    String lastCallOf(ProxyProcess instance, ServedBucket bucket) {
        return CALL.matcher(server.ask("HGET proxy:{" + bucket.name + "}:slots i:" + instance.name))
                .results()
                .map(MatchResult::group)
                .sorted()
                .collect(Collectors.joining(" "));
    }

    private static int number(String entry, String field) {
        Matcher value = Pattern.compile("\"" + field + "\":(\\d+)").matcher(entry);
        if (!value.find()) {
            throw new IllegalStateException(field + " is not in " + entry);
        }
        return Integer.parseInt(value.group(1));
    }

    boolean hasBooksOf(ProxyProcess instance, ServedBucket bucket) {
        return server.ask("HEXISTS proxy:{" + bucket.name + "}:slots i:" + instance.name)
                .equals(":1");
    }

    /** Runs of scripts that Redis has counted so far: instances make no other call that says anything. */
    long calls() {
        Matcher lines = SCRIPT_RUNS.matcher(server.ask("INFO commandstats"));
        long calls = 0;
        while (lines.find()) {
            calls += Long.parseLong(lines.group(1));
        }
        return calls;
    }

    @Override
    public void close() {
        ways.values().forEach(CutOffRelay::close);
        server.close();
    }
}

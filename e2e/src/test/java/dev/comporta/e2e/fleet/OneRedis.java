package dev.comporta.e2e.fleet;

import dev.comporta.lease.testkit.CutOffRelay;
import dev.comporta.lease.testkit.RedisProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One Redis, to which each instance has a way of its own. */
final class OneRedis implements WayToRedis, AutoCloseable {
    private static final Pattern SCRIPT_RUNS = Pattern.compile("cmdstat_(?:eval|evalsha):calls=(\\d+)");

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

package dev.comporta.bench.jdbc;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The pool in process beside others: what JMH does not measure. */
public final class JdbcBenchmark {
    private JdbcBenchmark() {}

    /**
     * Runs the part that the first argument names.
     *
     * @return whether it names one
     */
    public static boolean run(String[] args) throws Exception {
        String part = args.length == 0 ? "" : args[0].toLowerCase(Locale.ROOT);
        switch (part) {
            case "turns" -> TurnsBenchmark.run(number(args, 20));
            case "waits" -> WaitsBenchmark.run(Duration.ofSeconds(number(args, 10)), pools(args, 2));
            case "spike" -> SpikeBenchmark.run(number(args, 5));
            case "connects" -> ConnectsBenchmark.run(pools(args, 1));
            default -> {
                return false;
            }
        }
        System.exit(0); // some pools leave threads behind
        return true;
    }

    private static List<PeerPool> pools(String[] args, int at) {
        return args.length <= at
                ? List.of(PeerPool.values())
                : Arrays.stream(args[at].split(",")).map(PeerPool::valueOf).toList();
    }

    private static int number(String[] args, int otherwise) {
        return args.length < 2 ? otherwise : Integer.parseInt(args[1]);
    }
}

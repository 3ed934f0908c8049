package dev.comporta.bench.jdbc;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Benchmarks of the JDBC pool and other pools that do not run in JMH. */
public final class JdbcBenchmark {
    private JdbcBenchmark() {}

    /**
     * Runs the benchmark that the first argument names.
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
        System.exit(0); // some pools leave threads running
        return true;
    }

    private static List<PeerPool> pools(String[] args, int at) {
        try {
            return args.length <= at
                    ? List.of(PeerPool.values())
                    : Arrays.stream(args[at].split(",", -1))
                            .map(PeerPool::valueOf)
                            .toList();
        } catch (IllegalArgumentException _) {
            throw refused(args[at] + " is not a list of pools, such as COMPORTA,HIKARI; there are "
                    + Arrays.toString(PeerPool.values()));
        }
    }

    private static int number(String[] args, int otherwise) {
        try {
            return args.length < 2 ? otherwise : Integer.parseInt(args[1]);
        } catch (NumberFormatException _) {
            throw refused(args[1] + " is not a number; bench jdbc " + args[0] + " takes one, " + otherwise
                    + " unless said otherwise");
        }
    }

    /** Does not return; the return type lets callers write {@code throw}, which the compiler needs. */
    private static IllegalArgumentException refused(String why) {
        System.err.println("bench: " + why);
        System.exit(2);
        return new IllegalArgumentException(why);
    }
}

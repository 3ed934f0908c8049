package dev.comporta.bench;

import dev.comporta.bench.token.TokenWalkerBenchmark;
import java.util.Arrays;

/** Runs a benchmark by its name; what follows the name is the benchmark's own. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            usage();
            return;
        }
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        switch (args[0]) {
            case "walker" -> TokenWalkerBenchmark.main(rest);
            default -> usage();
        }
    }

    private static void usage() {
        System.err.println("""
                Usage: bench NAME [OPTIONS]

                  walker   walking the tokens of responses: bytes per second, time per response, allocation
                           (JMH; takes its options, such as -f 3 or -h)
                """);
        System.exit(2);
    }
}

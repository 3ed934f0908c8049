package dev.comporta.pool.sim;

import dev.comporta.pool.settings.BucketSettings;
import java.time.Duration;

/** Simulates a fleet and prints the result: {@code simulate [--tenants=N] [--buckets=N] …}. */
public final class Main {
    private static final String USAGE = """
            simulate [--buckets=120] [--tenants=300000] [--pools=2] [--limit=50] [--seconds=60] [--seed=1]
            Drives the pool core through a fleet in virtual time and prints, for each bucket, its utilisation,
            how long calls waited, and what was refused.
            """;

    private Main() {}

    /** Runs the simulation that the arguments describe. */
    public static void main(String[] args) {
        Scenario scenario = Scenario.FLEET;
        for (String arg : args) {
            if (arg.equals("--help")) {
                System.out.print(USAGE);
                return;
            }
            scenario = with(scenario, arg);
        }
        long began = System.nanoTime();
        SimulationResult result = Simulation.run(scenario);
        System.out.print(result.report());
        System.out.printf(
                "simulated %d s in %.1f s%n", scenario.duration().toSeconds(), (System.nanoTime() - began) / 1e9);
    }

    private static Scenario with(Scenario scenario, String arg) {
        int equals = arg.indexOf('=');
        String key = equals < 0 ? arg : arg.substring(0, equals);
        int value = equals < 0 ? -1 : parse(key, arg.substring(equals + 1));
        return switch (key) {
            case "--buckets" -> scenario.withBuckets(value);
            case "--tenants" -> scenario.withTenants(value);
            case "--pools" -> scenario.withPools(value);
            case "--seconds" -> scenario.withDuration(Duration.ofSeconds(value));
            case "--seed" -> scenario.withSeed(value);
            case "--limit" ->
                scenario.withBucket(BucketSettings.DEFAULTS
                        .but()
                        .maxConnections(value)
                        .minIdle(Math.min(value, BucketSettings.DEFAULTS.minIdle()))
                        .build());
            default -> throw new IllegalArgumentException("unknown argument " + arg + "\n" + USAGE);
        };
    }

    private static int parse(String key, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is " + value + ": give a whole number\n" + USAGE, e);
        }
    }
}

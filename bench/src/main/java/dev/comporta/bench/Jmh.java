package dev.comporta.bench;

import java.io.IOException;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks of a class with JMH, and shows their allocations and CPU time. */
final class Jmh {
    private Jmh() {}

    /** The arguments are JMH's own; a pattern among them chooses benchmarks instead of the class. */
    static void run(Class<?> benchmarks, String[] args) throws IOException {
        run(benchmarks.getName(), args);
    }

    /** Runs all benchmarks of a package. */
    static void run(Package benchmarks, String[] args) throws IOException {
        run(benchmarks.getName() + ".", args);
    }

    private static void run(String names, String[] args) throws IOException {
        CommandLineOptions asked = parse(args);
        if (asked.shouldHelp()) {
            asked.showHelp();
            return;
        }
        var options = new OptionsBuilder()
                .parent(asked)
                .jvmArgsAppend("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessCpuProfiler.class);
        if (asked.getIncludes().isEmpty()) {
            options.include(names.replace(".", "\\."));
        }
        Runner runner = new Runner(options.build());
        try {
            if (asked.shouldList()) {
                runner.list();
            } else if (asked.shouldListWithParams()) {
                runner.listWithParams(asked);
            } else {
                runner.run();
            }
        } catch (RunnerException e) {
            throw refused(e);
        }
    }

    private static CommandLineOptions parse(String[] args) {
        try {
            for (String arg : args) {
                if (arg.equals("--help")) {
                    return new CommandLineOptions("-h");
                }
            }
            return new CommandLineOptions(args);
        } catch (CommandLineOptionException e) {
            throw refused(e);
        }
    }

    /** Does not return; the return type lets callers write {@code throw}, which the compiler needs. */
    private static IllegalArgumentException refused(Exception why) {
        System.err.println("bench: " + why.getMessage());
        System.err.println("""
                These benchmarks take JMH's options: -f 1 for one fork, -wi 2 -i 5 for warm-up and measurement, -t 8 for threads,
                -p pool=COMPORTA,HIKARI for values of a parameter, -l for their names, a pattern to choose some of them.
                -h lists all options; bench without a name lists the benchmarks.
                """);
        System.exit(2);
        return new IllegalArgumentException(why);
    }
}

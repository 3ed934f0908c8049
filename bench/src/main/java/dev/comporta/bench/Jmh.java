package dev.comporta.bench;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks of a class with JMH, and shows what they allocate and what CPU time they take. */
final class Jmh {
    private Jmh() {}

    /** The arguments are JMH's own; a pattern among them chooses benchmarks instead of the class. */
    static void run(Class<?> benchmarks, String[] args) throws RunnerException, CommandLineOptionException {
        run(benchmarks.getName(), args);
    }

    /** All of a package. */
    static void run(Package benchmarks, String[] args) throws RunnerException, CommandLineOptionException {
        run(benchmarks.getName() + ".", args);
    }

    private static void run(String names, String[] args) throws RunnerException, CommandLineOptionException {
        var asked = new CommandLineOptions(args);
        var options = new OptionsBuilder()
                .parent(asked)
                .jvmArgsAppend("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessCpuProfiler.class);
        if (asked.getIncludes().isEmpty()) {
            options.include(names.replace(".", "\\."));
        }
        new Runner(options.build()).run();
    }
}

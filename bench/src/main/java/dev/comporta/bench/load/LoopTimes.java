package dev.comporta.bench.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * CPU time and run-queue time of an instance's event loops, summed, from the kernel.
 *
 * @param ran nanoseconds on a processor
 * @param waited nanoseconds in the run queue, while the processor ran something else
 */
record LoopTimes(long ran, long waited) {
    static LoopTimes of(Process instance) throws IOException {
        long ran = 0;
        long waited = 0;
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(instance.pid()), "task"))) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).startsWith("loop")) {
                    String[] fields =
                            Files.readString(thread.resolve("schedstat")).split(" ", -1);
                    ran += Long.parseLong(fields[0]);
                    waited += Long.parseLong(fields[1]);
                }
            }
        } catch (NoSuchFileException ended) {
            return of(instance); // a thread ended between two reads: start again
        }
        return new LoopTimes(ran, waited);
    }
}

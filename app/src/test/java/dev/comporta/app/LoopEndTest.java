package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Standin;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An event loop that an error ends, in a process as operators start it. */
@Timeout(60)
class LoopEndTest {
    /**
     * Stands before Netty's class of this name on the class path. Each event loop asks it what to do next, outside of all
     * that Netty catches: an error here ends the loop, as running out of direct memory did.
     */
    private static final String BOMB = """
            package io.netty.channel;

            import io.netty.util.IntSupplier;

            final class DefaultSelectStrategy implements SelectStrategy {
                static final SelectStrategy INSTANCE = new DefaultSelectStrategy();

                private static final java.io.File FUSE = new java.io.File(System.getProperty("fuse"));

                @Override
                public int calculateStrategy(IntSupplier selectSupplier, boolean hasTasks) throws Exception {
                    if (FUSE.exists()) {
                        throw new OutOfMemoryError("of the test");
                    }
                    return hasTasks ? selectSupplier.get() : SelectStrategy.SELECT;
                }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void processExitsWithCodeThreeWhenAnEventLoopEnds() throws Exception {
        Path fuse = directory.resolve("fuse");
        String classPath = compiledBomb() + File.pathSeparator + System.getProperty("java.class.path");
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                ChildProxy proxy = ChildProxy.start(
                        directory, server, ":", List.of("-Dfuse=" + fuse), classPath, "", "max_connections: 1")) {
            assertThat(proxy.process.isAlive()).isTrue();
            Files.createFile(fuse);
            assertThat(proxy.process.waitFor(30, TimeUnit.SECONDS))
                    .as("the process has ended")
                    .isTrue();
            assertThat(proxy.process.exitValue()).isEqualTo(3);
            assertThat(proxy.log()).contains("has ended; stopping with exit code 3");
        }
    }

    private Path compiledBomb() throws Exception {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Path source = Files.writeString(directory.resolve("DefaultSelectStrategy.java"), BOMB);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(failed).isZero();
        return classes;
    }
}

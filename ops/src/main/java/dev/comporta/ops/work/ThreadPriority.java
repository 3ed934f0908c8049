package dev.comporta.ops.work;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The priority of threads in Linux. Java's own has no effect there: the JVM ignores it without options that need root.
 */
public final class ThreadPriority {
    private static final Logger log = LoggerFactory.getLogger(ThreadPriority.class);

    private static final @Nullable MethodHandle NICE = nice();

    private ThreadPriority() {}

    /** Linux's nice, which changes the calling thread only; elsewhere it would change the whole process. */
    @SuppressWarnings(
            "restricted") // the launcher allows native access; without it Java prints a warning, or refuses the call
    private static @Nullable MethodHandle nice() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return null;
        }
        try {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().find("nice").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        } catch (RuntimeException | LinkageError e) {
            log.debug("thread priorities are not available: {}", e.toString());
            return null;
        }
    }

    /**
     * Lowers the priority of the calling thread, where that is possible. Raising it again needs privileges.
     *
     * @param by 1 to 19
     */
    public static void lower(int by) {
        if (NICE == null) {
            return;
        }
        try {
            int _ = (int) NICE.invokeExact(by);
        } catch (Throwable e) { // declared by method handles
            log.debug(
                    "could not lower the priority of thread {}: {}",
                    Thread.currentThread().getName(),
                    e.toString());
        }
    }
}

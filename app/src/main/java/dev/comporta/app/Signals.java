package dev.comporta.app;

import java.io.PrintWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the process does when it is told something from outside. */
public final class Signals {
    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /**
     * Waits for SIGTERM or Ctrl-C, and never returns: then the instance is drained and closed on the JVM's way down. A
     * signal that was heeded is no failure, so the exit code is 0.
     *
     * @param before is run first: what would only make the draining longer
     * @param after is run last
     */
    public static void stopWhenTold(Instance instance, PrintWriter out, Runnable before, Runnable after)
            throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(instance, out, before, after), "stop"));
        new CountDownLatch(1).await();
    }

    private static void stop(Instance instance, PrintWriter out, Runnable before, Runnable after) {
        try {
            before.run();
            out.println("stopping: waiting for requests and transactions to end");
            out.flush();
            boolean drained = instance.drain(instance.shutdownTimeout());
            instance.close();
            after.run();
            out.println(drained ? "stopped" : "stopped: the time was over, and clients were cut off");
            out.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("could not stop in order", e);
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Calls the action on each SIGHUP, unless the process was started with {@code nohup}. */
    static void onHangup(Runnable action) {
        on("HUP", action);
    }

    /** Calls the action on each such signal, on a thread of its own. Where there is none, nothing ever happens. */
    static void on(String name, Runnable action) {
        // sun.misc.Signal is the only way to hear of a signal, and naming it in source is a warning that nothing
        // silences.
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            MethodHandle run = MethodHandles.lookup()
                    .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                    .bindTo(action);
            signal.getMethod("handle", signal, handler)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance(name),
                            MethodHandleProxies.asInterfaceInstance(
                                    handler, MethodHandles.dropArguments(run, 0, signal)));
        } catch (ReflectiveOperationException e) {
            log.info("SIG{} is not heard here: {}", name, e.toString());
        }
    }
}

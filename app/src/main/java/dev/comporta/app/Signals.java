package dev.comporta.app;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handlers of the signals that the process gets. */
final class Signals {
    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** Calls the action on each SIGHUP, unless the process was started with {@code nohup}. */
    static void onHangup(Runnable action) {
        on("HUP", action);
    }

    /** Calls the action on each such signal, on a thread of its own. Does nothing if the platform lacks the signal. */
    static void on(String name, Runnable action) {
        // sun.misc.Signal is the only way to handle a signal, and naming it in source causes a warning that can't be
        // suppressed.
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
            log.info("can't install a handler for SIG{}: {}", name, e.toString());
        }
    }
}

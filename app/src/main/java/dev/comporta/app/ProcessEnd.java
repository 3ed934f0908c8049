package dev.comporta.app;

import dev.comporta.app.log.Logs;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuts the process down in order after SIGTERM, Ctrl-C, or a call of {@link Instance#beginToStop}. A second signal
 * disconnects the remaining clients; a third one ends the process at once. Any thread.
 *
 * <p>A stop by a signal is not a failure: the exit code is 0.
 */
public final class ProcessEnd {
    private static final Logger log = LoggerFactory.getLogger(ProcessEnd.class);

    private final Instance instance;
    private final PrintWriter out;
    private final Runnable before;
    private final Runnable after;
    private final AtomicInteger signals = new AtomicInteger();

    private ProcessEnd(Instance instance, PrintWriter out, Runnable before, Runnable after) {
        this.instance = instance;
        this.out = out;
        this.before = before;
        this.after = after;
    }

    /**
     * Handles signals from now on.
     *
     * @param before runs first, for work that would make the draining longer
     * @param after runs last
     */
    public static ProcessEnd watch(Instance instance, PrintWriter out, Runnable before, Runnable after) {
        ProcessEnd end = new ProcessEnd(instance, out, before, after);
        instance.onStop(end::stop);
        Signals.on("TERM", end::signalled);
        Signals.on("INT", end::signalled);
        // For platforms without these signals, and for System.exit: the JVM waits for the hook before it ends.
        Runtime.getRuntime().addShutdownHook(new Thread(end::onTheWayDown, "stop"));
        return end;
    }

    /** Never returns: the process ends. */
    public void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private void signalled() {
        switch (signals.incrementAndGet()) {
            case 1 -> {
                if (!instance.beginToStop()) {
                    say("already draining; another signal disconnects the remaining clients");
                }
            }
            case 2 -> {
                say("second signal: stopping now, clients are disconnected");
                instance.stopAtOnce();
            }
            default -> Runtime.getRuntime().halt(0);
        }
    }

    private void onTheWayDown() {
        instance.beginToStop();
        try {
            await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stop() {
        try {
            before.run();
            say("stopping: " + instance.drainPlan().text());
            boolean drained = instance.drain();
            int left = drained ? 0 : instance.clients();
            instance.close();
            after.run();
            say(left == 0 ? "stopped" : "stopped: shutdown_timeout expired, clients closed: " + left);
        } catch (InterruptedException e) {
            instance.close();
            after.run();
            say("stopped");
        } catch (RuntimeException e) {
            log.error("shutdown failed; ending the process", e);
        } finally {
            Logs.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}

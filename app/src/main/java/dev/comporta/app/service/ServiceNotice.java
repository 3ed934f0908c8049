package dev.comporta.app.service;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of the process to systemd, as described in sd_notify(3): ready, reloading, stopping, alive. Does nothing
 * if {@code NOTIFY_SOCKET} is not set. Any thread.
 */
public final class ServiceNotice {
    private static final Logger log = LoggerFactory.getLogger(ServiceNotice.class);

    /** Added to the time for draining: for closing connections and giving slots back. */
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    /** Watchdog messages per watchdog interval: one or two may be late without harm. */
    private static final int SIGNS_IN_INTERVAL = 4;

    private enum State {
        STARTING,
        READY,
        STOPPING
    }

    private final @Nullable String socket;
    private final Duration watchdog;

    /** Guarded by this. */
    private State state = State.STARTING;

    private String status = "";

    private ServiceNotice(@Nullable String socket, Duration watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** @param environment the process's environment: returns a variable's value, or null */
    public static ServiceNotice of(UnaryOperator<@Nullable String> environment) {
        String socket = environment.apply("NOTIFY_SOCKET");
        if (socket == null || socket.isEmpty()) {
            return new ServiceNotice(null, Duration.ZERO);
        }
        if (socket.charAt(0) != '/' && socket.charAt(0) != '@') {
            log.warn(
                    "NOTIFY_SOCKET is {}: only a path, or @ and a name, is understood; the service manager gets no notifications",
                    socket);
            return new ServiceNotice(null, Duration.ZERO);
        }
        return new ServiceNotice(socket, watchdog(environment));
    }

    private static Duration watchdog(UnaryOperator<@Nullable String> environment) {
        String micros = environment.apply("WATCHDOG_USEC");
        String pid = environment.apply("WATCHDOG_PID");
        boolean ours =
                pid == null || pid.equals(Long.toString(ProcessHandle.current().pid()));
        return micros != null && ours && micros.matches("[0-9]{1,18}")
                ? Duration.ofNanos(Math.multiplyExact(Long.parseLong(micros), 1_000L))
                : Duration.ZERO;
    }

    /** @param what the status line that {@code systemctl status} shows */
    public synchronized void ready(String what) {
        if (state != State.STOPPING) {
            state = State.READY;
            status = what;
            send("READY=1\nSTATUS=" + what);
        }
    }

    /** Reports that the configuration is being reloaded while the action runs. */
    public void whileReloading(Runnable action) {
        reloading();
        try {
            action.run();
        } finally {
            reloaded();
        }
    }

    private synchronized void reloading() {
        if (socket != null && state == State.READY) {
            try {
                send("RELOADING=1\nMONOTONIC_USEC=" + UnixDatagram.monotonicMicros() + "\nSTATUS=reloading");
            } catch (IOException e) {
                log.warn("can't notify the service manager of the reload: {}", e.getMessage());
            }
        }
    }

    private synchronized void reloaded() {
        if (state == State.READY) {
            ready(status);
        }
    }

    /** @param atMost how long clients may take, so that the service manager does not kill the process earlier */
    public synchronized void stopping(Duration atMost) {
        if (state != State.STOPPING) {
            state = State.STOPPING;
            long micros = atMost.plus(FAREWELL).toNanos() / 1_000;
            send("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + micros + "\nSTATUS=draining");
        }
    }

    /**
     * Sends watchdog messages while the event loops run, if the service manager expects them. Without them it restarts the
     * process.
     *
     * @param silence how long an event loop has not answered
     */
    public void whileAlive(Supplier<Duration> silence) {
        if (!watchdog.isZero()) {
            Thread.ofVirtual().name("watchdog").start(() -> signs(silence));
        }
    }

    private void signs(Supplier<Duration> silence) {
        Duration pause = watchdog.dividedBy(SIGNS_IN_INTERVAL);
        try {
            while (true) {
                if (silence.get().compareTo(watchdog.dividedBy(2)) < 0) {
                    send("WATCHDOG=1");
                }
                Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(String message) {
        if (socket != null) {
            try {
                UnixDatagram.send(socket, message);
            } catch (IOException e) {
                log.warn(
                        "can't notify the service manager at {} of {}: {}",
                        socket,
                        message.lines().findFirst().orElse(""),
                        e.getMessage());
            }
        }
    }
}

package dev.comporta.app.top;

import dev.comporta.app.admin.AdminAddress;
import dev.comporta.app.admin.ApiClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Shows the fleet on a terminal. */
public final class Top {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private sealed interface Event {
        record Pressed(Key key) implements Event {}

        /** An instance has answered, or the terminal's size has changed: the frame is drawn again. */
        record Changed() implements Event {}
    }

    private final TerminalScreen terminal;
    private final List<InstanceWatch> watches = new ArrayList<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Duration every;
    private Screen screen = Screen.FIRST;
    private String time = now();

    private Top(TerminalScreen terminal, Duration every) {
        this.terminal = terminal;
        this.every = every;
    }

    /**
     * Prints one frame as plain text.
     *
     * @return whether any instance has answered
     */
    public static boolean once(ApiClient api, List<AdminAddress> addresses, PrintWriter to)
            throws InterruptedException {
        List<InstanceSight> seen = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<InstanceSight>> asked = addresses.stream()
                    .map(address -> threads.submit(() -> InstanceWatch.ask(api, address)))
                    .toList();
            for (Future<InstanceSight> answer : asked) {
                seen.add(answer.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("failures are shown in the table, not thrown", e);
        }
        FleetSight fleet = new FleetSight(seen);
        Frame.plain(fleet, now()).forEach(to::println);
        return !fleet.answered().isEmpty();
    }

    /**
     * Shows frames until the user quits.
     *
     * @return false if there is no suitable terminal, and nothing was shown
     */
    public static boolean run(ApiClient api, List<AdminAddress> addresses, Duration every, boolean colours)
            throws IOException, InterruptedException {
        TerminalScreen opened = TerminalScreen.open(colours).orElse(null);
        if (opened == null) {
            return false;
        }
        try (TerminalScreen terminal = opened) {
            Top top = new Top(terminal, every);
            addresses.forEach(address -> top.watches.add(new InstanceWatch(api, address, every, top::changed)));
            top.run();
        }
        return true;
    }

    private void changed() {
        events.add(new Event.Changed());
    }

    private void run() throws InterruptedException {
        terminal.onResize(this::changed);
        Thread.ofPlatform().daemon().name("keys").start(this::readKeys);
        watches.forEach(InstanceWatch::start);
        try {
            while (screen.mode() != Screen.Mode.ENDED) {
                draw();
                Event event = events.poll(every.toMillis(), TimeUnit.MILLISECONDS);
                // All waiting keys are handled before the next frame: drawing does not delay a key held down.
                while (event != null) {
                    take(event);
                    event = events.poll();
                }
            }
        } finally {
            watches.forEach(InstanceWatch::close);
        }
    }

    private void readKeys() {
        KeyReader keys = terminal.keys();
        try {
            Key key = keys.next();
            while (key != Key.Named.INTERRUPT) {
                events.add(new Event.Pressed(key));
                key = keys.next();
            }
        } catch (IOException gone) {
            // The terminal is closed: quit.
        }
        events.add(new Event.Pressed(Key.Named.INTERRUPT));
    }

    private FleetSight fleet() {
        return new FleetSight(watches.stream().map(InstanceWatch::sight).toList());
    }

    private void draw() {
        FleetSight fleet = fleet();
        time = screen.paused() ? time : now();
        BucketPage page = new BucketPage(
                screen.selected(),
                watches.stream()
                        .flatMap(watch -> watch.part(screen.selected()).stream())
                        .toList());
        screen = Frame.settled(fleet, screen, page, terminal.height());
        terminal.draw(Frame.of(fleet, screen, page, time, terminal.width(), terminal.height()));
    }

    private void take(Event event) {
        switch (event) {
            case Event.Pressed(Key key) -> {
                screen = screen.press(key, fleet());
                String into = screen.mode() == Screen.Mode.BUCKET ? screen.selected() : "";
                watches.forEach(watch -> watch.want(into, screen.paused()));
            }
            case Event.Changed() -> {}
        }
    }

    private static String now() {
        return LocalTime.now(ZoneId.systemDefault()).format(TIME);
    }
}

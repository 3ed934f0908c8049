package dev.comporta.demo;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/** Shows the figures until it is closed: on a terminal in one line that changes, otherwise in a new line every 5 seconds. */
final class Display implements AutoCloseable {
    private static final Duration ON_A_TERMINAL = Duration.ofMillis(500);

    /** The interval for a file or a pipe. */
    private static final Duration ELSEWHERE = Duration.ofSeconds(5);

    private static final String TO_END_OF_LINE = "\u001b[K";

    private final Supplier<Figures> figures;
    private final Supplier<String> note;
    private final PrintWriter out;
    private final boolean terminal;
    private final Thread thread;

    private Display(
            Supplier<Figures> figures, Supplier<String> note, PrintWriter out, boolean terminal, Duration pause) {
        this.figures = figures;
        this.note = note;
        this.out = out;
        this.terminal = terminal;
        thread = Thread.ofVirtual().name("display").unstarted(() -> show(pause));
    }

    /** @param note returns text to add to the figures, or empty text */
    @SuppressWarnings("SystemConsoleNull") // null in JDK 25 if there is no terminal
    static Display start(Supplier<Figures> figures, Supplier<String> note, PrintWriter out) {
        Console console = System.console();
        boolean terminal = console != null && console.isTerminal();
        return start(figures, note, out, terminal, terminal ? ON_A_TERMINAL : ELSEWHERE);
    }

    static Display start(
            Supplier<Figures> figures, Supplier<String> note, PrintWriter out, boolean terminal, Duration pause) {
        Display display = new Display(figures, note, out, terminal, pause);
        display.thread.start();
        return display;
    }

    private void show(Duration pause) {
        try {
            Figures before = figures.get();
            while (true) {
                Thread.sleep(pause);
                Figures now = figures.get();
                String said = note.get();
                String line = now.line(before) + (said.isEmpty() ? "" : " | " + said);
                out.print(terminal ? "\r" + line + TO_END_OF_LINE : line + System.lineSeparator());
                out.flush();
                before = now;
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (terminal) {
            out.println();
            out.flush();
        }
    }
}

package dev.comporta.app.top;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;

/**
 * Takes over the whole terminal, in raw mode and on its alternate screen, and restores it when closed: at the end of the
 * process at the latest, whatever ends it.
 */
final class TerminalScreen implements AutoCloseable {
    private static final String ESCAPE = "\u001b[";
    private static final String ENTER = ESCAPE + "?1049h" + ESCAPE + "?25l"; // alternate screen, no cursor
    private static final String LEAVE = ESCAPE + "0m" + ESCAPE + "?25h" + ESCAPE + "?1049l";
    private static final String TOP_LEFT = ESCAPE + "H";
    private static final String REST_OF_LINE = ESCAPE + "K";
    private static final String REST_OF_SCREEN = ESCAPE + "J";
    private static final String PLAIN = ESCAPE + "0m";

    /** The provider that runs stty. The native ones lose the terminal's speed when they restore its attributes. */
    private static final String BY_STTY = TerminalBuilder.PROP_PROVIDER_EXEC;

    /** The size of a terminal that does not report one. */
    private static final Size USUAL = new Size(80, 24);

    private final Terminal terminal;
    private final Attributes before;
    private final boolean colours;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Cached, because asking for it runs a program. */
    private volatile Size size;

    private TerminalScreen(Terminal terminal, boolean colours) {
        this.terminal = terminal;
        this.colours = colours;
        size = terminal.getSize();
        before = terminal.enterRawMode();
        Attributes raw = terminal.getAttributes();
        // Ctrl-C is read as a key, and Ctrl-Z would leave the shell with a terminal in raw mode.
        raw.setLocalFlag(LocalFlag.ISIG, false);
        terminal.setAttributes(raw);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
        write(ENTER);
    }

    /** @return empty if standard input and output are not a terminal, or it can't move its cursor */
    static Optional<TerminalScreen> open(boolean colours) throws IOException {
        Terminal terminal = TerminalBuilder.builder()
                .name("comporta")
                .system(true)
                .systemOutput(SystemOutput.SysOut)
                .provider(BY_STTY)
                .dumb(true) // a dumb terminal instead of a warning
                .build();
        if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
            terminal.close();
            return Optional.empty();
        }
        return Optional.of(new TerminalScreen(terminal, colours));
    }

    KeyReader keys() {
        return new KeyReader(millis -> terminal.reader().read(millis));
    }

    void onResize(Runnable action) {
        terminal.handle(Terminal.Signal.WINCH, _ -> {
            size = terminal.getSize();
            action.run();
        });
    }

    int width() {
        return size.getColumns() > 0 ? size.getColumns() : USUAL.getColumns();
    }

    int height() {
        return size.getRows() > 0 ? size.getRows() : USUAL.getRows();
    }

    /** Overwrites line by line in a single write, so that nothing flickers. */
    void draw(List<Line> lines) {
        StringBuilder text = new StringBuilder(TOP_LEFT);
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            text.append(i == 0 ? "" : "\r\n")
                    .append(look(line.look()))
                    .append(line.text())
                    .append(PLAIN)
                    .append(REST_OF_LINE);
        }
        write(text.append(REST_OF_SCREEN).toString());
    }

    private String look(Line.Look look) {
        String codes = switch (look) {
            case PLAIN -> "0";
            case BOLD -> "1";
            case DIM -> "2";
            case SELECTED -> "7";
            case WARNING -> colours ? "33" : "1";
            case ALARM -> colours ? "1;31" : "1;4";
        };
        return ESCAPE + codes + "m";
    }

    /** Does nothing once closed: a late frame would be left on the restored screen. */
    private synchronized void write(String text) {
        if (!closed.get()) {
            terminal.writer().write(text);
            terminal.writer().flush();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed.get()) {
            write(LEAVE);
            closed.set(true);
            terminal.setAttributes(before);
            try {
                terminal.close();
            } catch (IOException gone) {
                // The terminal is gone: nothing can be reported.
            }
        }
    }
}

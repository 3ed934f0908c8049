package dev.comporta.e2e.matrix;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program of another language that plays one scenario after the other: to start it takes longer than most of them. It is
 * told by a line with the scenario and its table, and ends what it says, on both of its outputs, by a line that says so.
 * When its input ends so does it, and thus with this JVM at the latest.
 */
final class Player {
    /** Far more than any scenario takes, on a busy machine too. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static final String END = "end of scenario";

    /** So many wait for their next scenario: as many as there are plays at a time. */
    private static final int MOST_AT_REST = 4;

    /** The longest unused first. */
    private static final Deque<Player> AT_REST = new ArrayDeque<>();

    private final List<String> command;
    private final Map<String, String> environment;
    private final Process process;
    private final Writer orders;
    private final BlockingQueue<Optional<String>> output;
    private final BlockingQueue<Optional<String>> errors;

    private Player(List<String> command, Map<String, String> environment) {
        this.command = command;
        this.environment = environment;
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        process = Command.start(builder);
        orders = process.outputWriter(StandardCharsets.UTF_8);
        output = lines(process.getInputStream());
        errors = lines(process.getErrorStream());
    }

    /** Plays by a program that waits, or by a new one. */
    static Command.Result play(List<String> command, Map<String, String> environment, Scenario scenario, String table)
            throws IOException, InterruptedException {
        Player player = atRest(command, environment).orElseGet(() -> new Player(command, environment));
        boolean again = false;
        try {
            Command.Result result = player.play(scenario, table);
            again = result.status() == 0;
            return result;
        } finally {
            if (again) {
                rest(player);
            } else {
                player.process.destroyForcibly();
            }
        }
    }

    private static synchronized Optional<Player> atRest(List<String> command, Map<String, String> environment) {
        for (Iterator<Player> each = AT_REST.iterator(); each.hasNext(); ) {
            Player player = each.next();
            if (player.command.equals(command) && player.environment.equals(environment)) {
                each.remove();
                return Optional.of(player);
            }
        }
        return Optional.empty();
    }

    private static synchronized void rest(Player player) {
        AT_REST.addLast(player);
        if (AT_REST.size() > MOST_AT_REST) {
            AT_REST.removeFirst().process.destroy();
        }
    }

    private Command.Result play(Scenario scenario, String table) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        orders.append(scenario.name()).append(' ').append(table).append('\n').flush();
        List<String> found = new ArrayList<>();
        List<String> besides = new ArrayList<>();
        String end = readToEnd(output, found, deadline);
        readToEnd(errors, besides, deadline);
        if (end.isEmpty()) {
            process.destroyForcibly();
            besides.add(command + " ended before its scenario, or did not end it in " + PATIENCE.toSeconds() + " s");
        }
        int status = end.isEmpty()
                ? -1
                : Integer.parseInt(end.substring(END.length()).trim());
        return new Command.Result(status, text(found), text(besides));
    }

    /** The line that ends it; empty when the program has ended, or when it takes too long. */
    private static String readToEnd(BlockingQueue<Optional<String>> from, List<String> lines, long deadline)
            throws InterruptedException {
        while (true) {
            Optional<String> line = from.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.isEmpty()) {
                return "";
            } else if (line.get().startsWith(END)) {
                return line.get();
            }
            lines.add(line.get());
        }
    }

    private static String text(List<String> lines) {
        return String.join("\n", lines);
    }

    /** Read from a thread of its own, for nothing else ends a read from a program that says nothing. */
    private static BlockingQueue<Optional<String>> lines(InputStream stream) {
        BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                reader.lines().map(Optional::of).forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                // It was ended.
            } finally {
                lines.add(Optional.empty());
            }
        });
        return lines;
    }
}

package dev.comporta.console;

import dev.comporta.console.eval.scalar.Budget;
import dev.comporta.console.eval.scalar.SessionFacts;
import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.MappedUser;
import dev.comporta.console.sql.OptionChange;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.View;
import dev.comporta.console.value.Conversion;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A host with two small views and an operator that records its commands; answers come as text. */
public final class Host implements Operator, ConsoleSession {
    public static final LocalDateTime NOW = LocalDateTime.parse("2026-11-17T12:00:00");

    private final Console console;
    private final List<String> commands = new ArrayList<>();
    private final Set<Command.Kind> offered = EnumSet.allOf(Command.Kind.class);
    private boolean administrator = true;

    public Host() {
        this(Budget.Limits.DEFAULT);
    }

    public Host(Budget.Limits limits) {
        this.console = new Console(
                "comporta",
                List.of(pools(), clients()),
                this,
                limits,
                InstantSource.fixed(Instant.parse("2026-11-17T12:00:00Z")),
                System::nanoTime,
                () -> {});
    }

    private static View pools() {
        return View.of(
                "remote_pool_stats",
                "POOLS",
                "One row for each bucket.",
                List.of(
                        new Column("server_name", ColumnType.NVARCHAR, "The bucket."),
                        new Column("healthy", ColumnType.BIT, "Whether the last health check passed."),
                        new Column("active", ColumnType.INT, "Server connections in use."),
                        new Column("acquires", ColumnType.BIGINT, "Requests served."),
                        new Column("avg_wait", ColumnType.FLOAT, "Milliseconds in the queue."),
                        new Column("reason", ColumnType.NVARCHAR, "Why it is down."),
                        new Column("last_activity", ColumnType.DATETIME2, "The last request.")),
                () -> List.of(
                        Row.of("alpha", true, 5, 15234L, 1.5, null, NOW.minusSeconds(90)),
                        Row.of("beta", true, 2, 8901L, 0.25, null, NOW.minusSeconds(1)),
                        Row.of("gamma-1", false, 0, 3_000_000_000L, null, "connect timeout", null),
                        Row.of("Delta_2", true, 5, 7L, 4.0, null, NOW)));
    }

    private static View clients() {
        return View.of(
                "clients",
                "CLIENTS",
                "One row for each client.",
                List.of(
                        new Column("client_id", ColumnType.INT, "Its number."),
                        new Column("server_name", ColumnType.NVARCHAR, "Its bucket."),
                        new Column("login", ColumnType.NVARCHAR, "Its login.")),
                () -> List.of(
                        Row.of(1, "alpha", "app"),
                        Row.of(2, "alpha", "APP"),
                        Row.of(3, "beta", "batch"),
                        Row.of(4, null, "lost")));
    }

    public Host readOnly() {
        administrator = false;
        return this;
    }

    public Console console() {
        return console;
    }

    public List<String> commands() {
        return commands;
    }

    public List<Outcome> execute(String text) {
        return console.execute(text, Parameters.NONE, this);
    }

    /** The last outcome, in one line: {@code a|b; c|d}, a message, or {@code 208 at 1:15: …}. */
    public String ask(String text) {
        return shown(execute(text).getLast());
    }

    public static String shown(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Rows rows -> rows.rows().stream().map(Host::shown).collect(Collectors.joining("; "));
            case Outcome.Done done -> done.message();
            case Outcome.Failed failed ->
                failed.number() + " at " + failed.line() + ":" + failed.column() + ": " + failed.message();
        };
    }

    private static String shown(Row row) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            Object value = row.get(i);
            values.add(value == null ? "NULL" : Conversion.text(value));
        }
        return String.join("|", values);
    }

    @Override
    public SessionFacts facts() {
        return new SessionFacts(51, "ops", "proxy-1", "Comporta 1.0", "16.0.1000.6", "laptop", "tsql", 0);
    }

    @Override
    public boolean mayCommand() {
        return administrator;
    }

    public Host without(Command.Kind kind) {
        offered.remove(kind);
        return this;
    }

    @Override
    public Set<Command.Kind> offered() {
        return offered;
    }

    private String did(String command) {
        commands.add(command);
        return command;
    }

    @Override
    public String pause(ConsoleSession by, @Nullable String bucket) throws OperatorException {
        if ("nowhere".equals(bucket)) {
            throw new OperatorException("No bucket is called 'nowhere'.");
        }
        return did("pause " + bucket);
    }

    @Override
    public String resume(ConsoleSession by, @Nullable String bucket) {
        return did("resume " + bucket);
    }

    @Override
    public String reconnect(ConsoleSession by, String bucket) {
        return did("reconnect " + bucket);
    }

    @Override
    public String kill(ConsoleSession by, String client) {
        return did("kill " + client);
    }

    @Override
    public String reload(ConsoleSession by) {
        return did("reload");
    }

    @Override
    public String drain(ConsoleSession by) {
        throw new IllegalStateException("broken host");
    }

    @Override
    public String set(ConsoleSession by, String key, String value) {
        return did("set " + key + " to " + value);
    }

    @Override
    public String createServer(ConsoleSession by, String name, @Nullable String wrapper, Map<String, String> options) {
        return did("create " + name + " by " + wrapper + " " + options);
    }

    @Override
    public String alterServer(ConsoleSession by, String name, List<OptionChange> changes) {
        return did("alter " + name + " "
                + changes.stream()
                        .map(change -> change.action() + " " + change.key() + "=" + change.value())
                        .toList());
    }

    @Override
    public String dropServer(ConsoleSession by, String name, boolean ifExists) {
        return did("drop " + name + (ifExists ? " if it exists" : ""));
    }

    @Override
    public String createUserMapping(ConsoleSession by, MappedUser of, Map<String, String> options) {
        return did("map " + of.kind() + " " + of.text() + " at " + of.server() + " " + options);
    }

    @Override
    public String alterUserMapping(ConsoleSession by, MappedUser of, List<OptionChange> changes) {
        return did("map " + of.text() + " at " + of.server() + " otherwise: " + changes.size());
    }

    @Override
    public String dropUserMapping(ConsoleSession by, MappedUser of, boolean ifExists) {
        return did("forget " + of.text() + " at " + of.server() + (ifExists ? " if it exists" : ""));
    }
}

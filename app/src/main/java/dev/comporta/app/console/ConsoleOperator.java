package dev.comporta.app.console;

import dev.comporta.console.ConsoleSession;
import dev.comporta.console.Operator;
import dev.comporta.console.OperatorException;
import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.OptionChange;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.proxy.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out the console's commands. Control plane: it blocks. */
final class ConsoleOperator implements Operator {
    /** How long a command waits for running work to end. A pause goes on after that. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Set<Command.Kind> OFFERED = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(
            Command.Kind.CREATE_USER_MAPPING, Command.Kind.ALTER_USER_MAPPING, Command.Kind.DROP_USER_MAPPING)));

    private static final String UNTIL =
            " This holds on this instance until the files are read again (RELOAD, SIGHUP) or it restarts.";

    private final Settings settings;
    private final Proxy proxy;
    private final BucketNames buckets;
    private final SettingNames names = new SettingNames();
    private final ServerOptions options = new ServerOptions(names);

    ConsoleOperator(Settings settings, Proxy proxy, BucketNames buckets) {
        this.settings = settings;
        this.proxy = proxy;
        this.buckets = buckets;
    }

    /** All but those for user mappings: {@code auth} maps clients' logins to the server's. */
    @Override
    public Set<Command.Kind> offered() {
        return OFFERED;
    }

    // Buckets and clients.

    @Override
    public String pause(ConsoleSession by, @Nullable String bucket) throws OperatorException {
        Collection<String> which = which(bucket);
        Map<String, CompletableFuture<Boolean>> begun = new LinkedHashMap<>();
        for (String id : which) {
            begun.put(id, steered(() -> proxy.pause(id)));
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> working = new ArrayList<>();
        for (Map.Entry<String, CompletableFuture<Boolean>> one : begun.entrySet()) {
            Optional<Boolean> paused = get(one.getValue(), deadline);
            if (paused.isEmpty()) {
                working.add(one.getKey());
            } else if (!paused.get()) {
                throw new OperatorException("Bucket " + one.getKey() + " was resumed or removed before it had paused.");
            }
        }
        return working.isEmpty()
                ? shown(which) + " paused: no work runs, requests wait in the queue."
                : shown(which) + " pausing: new requests wait in the queue; work that began before still runs in "
                        + String.join(", ", working) + ".";
    }

    @Override
    public String resume(ConsoleSession by, @Nullable String bucket) throws OperatorException {
        List<String> resumed = new ArrayList<>();
        for (String id : which(bucket)) {
            if (await(steered(() -> proxy.resume(id)))) {
                resumed.add(id);
            }
        }
        if (resumed.isEmpty()) {
            throw new OperatorException(
                    bucket == null ? "No bucket is paused." : "Bucket " + bucket + " is not paused.");
        }
        return shown(resumed) + " resumed.";
    }

    @Override
    public String reconnect(ConsoleSession by, String bucket) throws OperatorException {
        String id = buckets.find(bucket);
        int connections = await(steered(() -> proxy.reconnect(id)));
        return "Bucket " + id + " reconnecting: " + connections
                + " server connections are replaced, idle ones now, others as soon as no client uses them.";
    }

    @Override
    public String kill(ConsoleSession by, String client) throws OperatorException {
        long number;
        try {
            number = Long.parseLong(client);
        } catch (NumberFormatException e) {
            throw new OperatorException("'" + client + "' is not the number of a client. SHOW CLIENTS lists them.");
        }
        if (!await(proxy.kill(number))) {
            throw new OperatorException("There is no client " + number + ". SHOW CLIENTS lists them.");
        }
        return "Client " + number + " closed.";
    }

    private Collection<String> which(@Nullable String bucket) throws OperatorException {
        return bucket == null ? buckets.all() : List.of(buckets.find(bucket));
    }

    private static String shown(Collection<String> which) {
        return which.size() == 1 ? "Bucket " + which.iterator().next() : "Buckets " + String.join(", ", which);
    }

    /** Reports a bucket that was removed after its name was found. */
    private static <T> CompletableFuture<T> steered(Supplier<CompletableFuture<T>> action) throws OperatorException {
        try {
            return action.get();
        } catch (IllegalArgumentException removed) {
            throw new OperatorException(String.valueOf(removed.getMessage()));
        }
    }

    private static <T> T await(CompletableFuture<T> one) throws OperatorException {
        return get(one, System.nanoTime() + PATIENCE.toNanos())
                .orElseThrow(() -> new OperatorException("The bucket's event loop has not answered within "
                        + PATIENCE.toSeconds() + " seconds. Look at /health, and try again."));
    }

    /** Empty when the deadline has passed. */
    private static <T> Optional<T> get(CompletableFuture<T> one, long deadline) throws OperatorException {
        try {
            return Optional.of(one.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException later) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorException("Interrupted: this instance is stopping.");
        } catch (ExecutionException e) {
            throw new OperatorException(String.valueOf(e.getCause()));
        }
    }

    // The instance.

    @Override
    public String reload(ConsoleSession by) throws OperatorException {
        Settings.Applied done = settings.reload();
        if (!done.applied()) {
            throw new OperatorException("Reload failed, configuration unchanged:\n" + String.join("\n", done.lines()));
        }
        return "Configuration reloaded" + changes(done);
    }

    private static String changes(Settings.Applied done) {
        StringBuilder text = new StringBuilder(
                done.lines().isEmpty() ? ": nothing changed." : ":\n" + String.join("\n", done.lines()));
        if (!done.afterRestart().isEmpty()) {
            text.append("\nChanged, and needs a restart: ").append(String.join(", ", done.afterRestart()));
        }
        return text.toString();
    }

    @Override
    public String drain(ConsoleSession by) throws OperatorException {
        if (!settings.drain()) {
            throw new OperatorException("This instance is already draining.");
        }
        return settings.drainPlan().text() + " Then this instance stops.";
    }

    // Settings.

    @Override
    public String set(ConsoleSession by, String key, String value) throws OperatorException {
        Collection<String> ids = buckets.all();
        String path = names.resolve(key, ids)
                .orElseThrow(() -> new OperatorException("There is no setting '" + key + "'."
                        + names.nearest(key, ids)
                                .map(nearest -> " Did you mean '" + nearest + "'?")
                                .orElse(" SHOW SETTINGS lists them.")));
        if (settings.needsRestart(path)) {
            throw new OperatorException("'" + path + "' can only be changed by a restart. These can be set: "
                    + String.join(", ", atRunTime()) + ".");
        }
        ServerOptions.check(path, value);
        change(List.of(new Edit.Put(path, value)));
        String shown = names.isSecret(path) ? "a new value" : "'" + value + "'";
        return path + " is " + shown + "." + UNTIL;
    }

    private List<String> atRunTime() {
        return names.settable().stream()
                .filter(path -> !settings.needsRestart(path))
                .map(path -> path.replace("[]", "[id]"))
                .toList();
    }

    private Settings.Applied change(List<Edit> edits) throws OperatorException {
        Settings.Applied done = settings.change(edits);
        if (!done.applied()) {
            throw new OperatorException(String.join("\n", done.lines()));
        }
        return done;
    }

    // Buckets as SERVERs.

    @Override
    public String createServer(ConsoleSession by, String name, @Nullable String wrapper, Map<String, String> given)
            throws OperatorException {
        ServerOptions.checkWrapper(wrapper);
        if (buckets.all().contains(name)) {
            throw new OperatorException("There is already a bucket '" + name + "'. ALTER SERVER changes it.");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> option : given.entrySet()) {
            String key = options.key(option.getKey());
            if (values.put(key, options.value(option.getKey(), key, option.getValue())) != null) {
                throw new OperatorException("The option '" + key + "' is given twice, under two names.");
            }
        }
        Settings.Applied done = change(List.of(new Edit.Add("buckets", name, values)));
        return "Bucket " + name + " added." + UNTIL + warnings(done) + " To keep it, add to buckets.yaml:\n"
                + YamlText.bucket(name, shown(values));
    }

    @Override
    public String alterServer(ConsoleSession by, String name, List<OptionChange> changes) throws OperatorException {
        String id = buckets.find(name);
        List<Edit> edits = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        List<String> dropped = new ArrayList<>();
        for (OptionChange change : changes) {
            String key = options.key(change.key());
            String path = "buckets[" + id + "]." + key;
            if (settings.needsRestart(path)) {
                throw new OperatorException("'" + key + "' can't change while the bucket runs. DROP SERVER " + id
                        + " and CREATE it again, or change the file and restart.");
            }
            switch (change.action()) {
                case SET, ADD -> {
                    String value = options.value(change.key(), key, change.value());
                    edits.add(new Edit.Put(path, value));
                    values.put(key, value);
                }
                case DROP -> {
                    edits.add(new Edit.Remove(path));
                    dropped.add(key);
                }
            }
        }
        Settings.Applied done = change(edits);
        StringBuilder text = new StringBuilder("Bucket " + id + " changed." + UNTIL + warnings(done));
        if (!values.isEmpty()) {
            text.append(" To keep it, write in buckets.yaml:\n").append(YamlText.bucket(id, shown(values)));
        }
        if (!dropped.isEmpty()) {
            text.append(values.isEmpty() ? " To keep it, remove from" : "and remove from")
                    .append(" the bucket in buckets.yaml: ")
                    .append(String.join(", ", dropped))
                    .append('\n');
        }
        return text.toString();
    }

    @Override
    public String dropServer(ConsoleSession by, String name, boolean ifExists) throws OperatorException {
        if (ifExists && !buckets.all().contains(name)) {
            return "There is no bucket '" + name + "': nothing changed.";
        }
        String id = buckets.find(name);
        change(List.of(new Edit.Drop("buckets", id)));
        return "Bucket " + id + " removed; its clients may end their transactions, for at most "
                + settings.drainPlan().timeout().toSeconds() + " seconds." + UNTIL
                + " To keep it so, remove the bucket from buckets.yaml.";
    }

    private Map<String, String> shown(Map<String, String> values) {
        Map<String, String> shown = new LinkedHashMap<>();
        values.forEach((key, value) -> shown.put(key, options.shown(key, value)));
        return shown;
    }

    private static String warnings(Settings.Applied done) {
        return done.lines().stream()
                .filter(line -> line.startsWith("warning: "))
                .map(line -> " " + line)
                .reduce("", String::concat);
    }
}

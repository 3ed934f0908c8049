package dev.comporta.jdbc;

import dev.comporta.console.Console;
import dev.comporta.console.ConsoleSession;
import dev.comporta.console.Operator;
import dev.comporta.console.OperatorException;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.MappedUser;
import dev.comporta.console.sql.OptionChange;
import dev.comporta.jdbc.admin.AdminDatabase;
import dev.comporta.jdbc.config.ServerOptions;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.view.RegistryViews;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the SQL commands on a registry, and logs each: the login, the command and its outcome. Values of options are
 * not logged: they may be secrets.
 */
final class RegistryOperator implements Operator {
    /** Named like the proxy's audit log. */
    private static final Logger audit = LoggerFactory.getLogger("dev.comporta.audit");

    private static final Set<Command.Kind> OFFERED = EnumSet.complementOf(
            EnumSet.of(Command.Kind.KILL, Command.Kind.RELOAD, Command.Kind.DRAIN, Command.Kind.SET));

    private final ServerRegistry registry;

    private RegistryOperator(ServerRegistry registry) {
        this.registry = registry;
    }

    static AdminDatabase database(ServerRegistry registry) {
        RegistryViews views = new RegistryViews(() -> registry.statistics().servers());
        return new AdminDatabase(new Console("comporta", views.all(), new RegistryOperator(registry)));
    }

    @Override
    public Set<Command.Kind> offered() {
        return OFFERED;
    }

    private interface Action {
        String run() throws OperatorException;
    }

    private static String audited(ConsoleSession by, String command, Action action) throws OperatorException {
        String login = by.facts().login();
        try {
            String answer = action.run();
            audit.info("registry command by {}: {}: done", login, command);
            return answer;
        } catch (OperatorException e) {
            audit.info("registry command by {}: {}: refused: {}", login, command, e.getMessage());
            throw e;
        } catch (IllegalArgumentException e) { // its message is meant for users, and has no secrets
            audit.info("registry command by {}: {}: refused: {}", login, command, e.getMessage());
            throw new OperatorException(String.valueOf(e.getMessage()));
        }
    }

    private RegisteredServer find(String name) throws OperatorException {
        RegisteredServer server = registry.server(name);
        if (server == null) {
            throw new OperatorException("There is no server '" + name + "'."
                    + NearestName.among(registry.servers(), name)
                            .map(near -> " Did you mean '" + near + "'?")
                            .orElse(" SHOW SERVERS lists them."));
        }
        return server;
    }

    // Pause, resume, reconnect.

    @Override
    public String pause(ConsoleSession by, @Nullable String server) throws OperatorException {
        return audited(by, "PAUSE " + (server == null ? "" : server), () -> {
            for (String name : which(server)) {
                registry.pause(name);
            }
            return shown(which(server)) + " paused: new requests wait in the queue.";
        });
    }

    @Override
    public String resume(ConsoleSession by, @Nullable String server) throws OperatorException {
        return audited(by, "RESUME " + (server == null ? "" : server), () -> {
            for (String name : which(server)) {
                registry.resume(name);
            }
            return shown(which(server)) + " resumed.";
        });
    }

    private Collection<String> which(@Nullable String server) throws OperatorException {
        if (server == null) {
            return registry.servers();
        }
        find(server);
        return List.of(server);
    }

    private static String shown(Collection<String> which) {
        return which.size() == 1 ? "Server " + which.iterator().next() : "Servers " + String.join(", ", which);
    }

    @Override
    public String reconnect(ConsoleSession by, String server) throws OperatorException {
        return audited(by, "RECONNECT " + server, () -> {
            find(server);
            registry.evict(server);
            return "Server " + server + ": its connections are replaced, idle ones now, others when they are returned.";
        });
    }

    // Servers.

    @Override
    public String createServer(ConsoleSession by, String name, @Nullable String wrapper, Map<String, String> options)
            throws OperatorException {
        return audited(by, "CREATE SERVER " + name, () -> {
            if (registry.server(name) != null) {
                throw new OperatorException("There is a server '" + name + "' already. ALTER SERVER changes it.");
            }
            Map<String, String> all = new LinkedHashMap<>(options);
            if (wrapper != null && all.put(ServerOptions.WRAPPER, wrapper) != null) {
                throw new OperatorException("The wrapper is given twice, as an option too.");
            }
            registry.register(new ServerDefinition(name, all));
            RegisteredServer server = find(name);
            return "Server " + name + " created: " + server.url() + "." + notes(all)
                    + (server.hasLogin()
                            ? ""
                            : " Map users to logins: CREATE USER MAPPING FOR user SERVER " + name + ".");
        });
    }

    @Override
    public String alterServer(ConsoleSession by, String name, List<OptionChange> changes) throws OperatorException {
        return audited(by, "ALTER SERVER " + name, () -> {
            RegisteredServer server = find(name);
            boolean reopens = registry.alter(
                    server, name, now -> now.with(changed(ServerOptions.canonical(now.options()), changes)));
            return "Server " + name + " changed: " + server.url() + "."
                    + (reopens ? " Its connections are replaced, idle ones now, others when they are returned." : "");
        });
    }

    private static Map<String, String> changed(Map<String, String> options, List<OptionChange> changes) {
        Set<String> seen = new HashSet<>();
        for (OptionChange change : changes) {
            ServerOptions.Option option = ServerOptions.option(change.key(), change.value());
            if (!seen.add(option.key())) {
                throw new IllegalArgumentException(option.key() + " is changed twice: leave one out");
            }
            apply(change.action(), option.key(), option.value(), options);
        }
        return options;
    }

    private static void apply(OptionChange.Action action, String key, String value, Map<String, String> options) {
        switch (action) {
            case SET, ADD -> options.put(key, value);
            case DROP -> {
                if (options.remove(key) == null) {
                    throw new IllegalArgumentException(key + " is not set: there is nothing to drop");
                }
            }
        }
    }

    private static String notes(Map<String, String> options) {
        return ServerOptions.canonical(options).containsKey(ServerOptions.COLLECT_STATISTICS)
                ? " collect_statistics has no effect: counters are always kept."
                : "";
    }

    @Override
    public String dropServer(ConsoleSession by, String name, boolean ifExists) throws OperatorException {
        return audited(by, "DROP SERVER " + name, () -> {
            if (ifExists && registry.server(name) == null) {
                return "There is no server '" + name + "': nothing changed.";
            }
            find(name);
            registry.unregister(name);
            return "Server " + name + " dropped, and its user mappings with it.";
        });
    }

    // User mappings.

    @Override
    public String createUserMapping(ConsoleSession by, MappedUser of, Map<String, String> options)
            throws OperatorException {
        return mapping(by, "CREATE", of, user -> {
            Map<String, String> login = new LinkedHashMap<>();
            options.forEach((name, value) -> {
                if (login.put(loginOption(name), value) != null) {
                    throw new IllegalArgumentException(
                            loginOption(name) + " is set twice, under two names: leave one out");
                }
            });
            find(of.server()).remap(user, before -> {
                if (before != null) {
                    throw new IllegalArgumentException("There is a mapping for " + of.text() + " at server "
                            + of.server() + " already. ALTER USER MAPPING changes it.");
                }
                return new MappedLogin(login.get("user"), login.get("password"));
            });
            return "User mapping for " + of.text() + " at server " + of.server() + " created.";
        });
    }

    @Override
    public String alterUserMapping(ConsoleSession by, MappedUser of, List<OptionChange> changes)
            throws OperatorException {
        return mapping(by, "ALTER", of, user -> {
            find(of.server()).remap(user, before -> altered(of, before, changes));
            return "User mapping for " + of.text() + " at server " + of.server()
                    + " changed. Connections of the former login close when they are returned.";
        });
    }

    private static Credentials altered(MappedUser of, @Nullable Credentials before, List<OptionChange> changes) {
        if (before == null) {
            throw new IllegalArgumentException("There is no mapping for " + of.text() + " at server " + of.server()
                    + ". CREATE USER MAPPING makes one.");
        }
        if (!(before instanceof MappedLogin login)) {
            throw new IllegalArgumentException("The mapping for " + of.text() + " at server " + of.server()
                    + " was made by code or from a file. DROP it, and CREATE another.");
        }
        Map<String, String> options = new LinkedHashMap<>();
        if (login.user() != null) {
            options.put("user", login.user());
        }
        if (login.password() != null) {
            options.put("password", login.password());
        }
        changes.forEach(change -> apply(change.action(), loginOption(change.key()), change.value(), options));
        return new MappedLogin(options.get("user"), options.get("password"));
    }

    @Override
    public String dropUserMapping(ConsoleSession by, MappedUser of, boolean ifExists) throws OperatorException {
        return mapping(by, "DROP", of, user -> {
            if (ifExists
                    && (registry.server(of.server()) == null
                            || find(of.server()).mapping(user) == null)) {
                return "There is no mapping for " + of.text() + " at server '" + of.server() + "': nothing changed.";
            }
            find(of.server()).remap(user, before -> {
                if (before == null) {
                    throw new IllegalArgumentException(
                            "There is no mapping for " + of.text() + " at server " + of.server() + ".");
                }
                return null;
            });
            return "User mapping for " + of.text() + " at server " + of.server() + " dropped.";
        });
    }

    private interface MappingAction {
        String run(String localUser) throws OperatorException;
    }

    private static String mapping(ConsoleSession by, String verb, MappedUser of, MappingAction action)
            throws OperatorException {
        String user = switch (of.kind()) {
            case NAMED -> of.user();
            case PUBLIC -> RegisteredServer.ANYBODY;
            case CURRENT -> by.facts().login();
        };
        return audited(by, verb + " USER MAPPING FOR " + of.text() + " SERVER " + of.server(), () -> action.run(user));
    }

    /** A login that was set by a command, and that a command can change. */
    private record MappedLogin(
            @Nullable String user, @Nullable String password) implements Credentials {
        @Override
        public Login get() {
            return new Login(user, password);
        }

        @Override
        public String toString() {
            return get().toString();
        }
    }

    private static String loginOption(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "user", "username" -> "user";
            case "password" -> "password";
            default ->
                throw new IllegalArgumentException("There is no option " + name + " of a user mapping: "
                        + NearestName.among(List.of("user", "username", "password"), name)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("it has user and password."));
        };
    }
}

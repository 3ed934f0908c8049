package dev.comporta.jdbc;

import dev.comporta.jdbc.session.Credentials;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Servers from a file of properties, for applications that only know JDBC: {@code SERVER.SETTING = value} and
 * {@code SERVER.user.LOCAL.username}, {@code .password} for mappings. {@code comporta.servers}, a system property, is its path.
 */
final class ServerFile {
    static final String PROPERTY = "comporta.servers";

    private ServerFile() {}

    static ServerRegistry registry() {
        ServerRegistry registry = new ServerRegistry();
        String file = System.getProperty(PROPERTY);
        if (file != null) {
            load(Path.of(file), registry);
        }
        return registry;
    }

    /** Registers all servers of the file, or none. */
    static void load(Path file, ServerRegistry registry) {
        Properties all = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            all.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + file + ", which " + PROPERTY + " names", e);
        }
        Map<String, Map<String, String>> options = new TreeMap<>();
        Map<String, Map<String, String>> users = new TreeMap<>();
        for (String key : all.stringPropertyNames()) {
            int dot = key.indexOf('.');
            if (dot <= 0) {
                throw new IllegalArgumentException(file + ": " + key + " names no server: write SERVER." + key);
            }
            String server = key.substring(0, dot);
            String setting = key.substring(dot + 1);
            Map<String, Map<String, String>> of = setting.startsWith("user.") ? users : options;
            of.computeIfAbsent(server, _ -> new HashMap<>()).put(setting, all.getProperty(key));
        }
        Map<String, ServerDefinition> definitions = new TreeMap<>();
        options.forEach((server, settings) -> definitions.put(server, new ServerDefinition(server, settings)));
        List<String> registered = new ArrayList<>();
        try {
            definitions.forEach((server, definition) -> {
                registry.register(definition);
                registered.add(server);
            });
            users.forEach((server, mappings) -> map(file, server, mappings, registry));
        } catch (RuntimeException e) {
            registered.forEach(registry::unregister);
            throw e;
        }
    }

    private static void map(Path file, String server, Map<String, String> mappings, ServerRegistry registry) {
        for (String key : mappings.keySet()) {
            String user = key.substring(0, key.lastIndexOf('.'));
            String local = user.substring(Math.min("user.".length(), user.length()));
            if (local.isEmpty() || !(key.endsWith(".username") || key.endsWith(".password"))) {
                throw new IllegalArgumentException(
                        file + ": " + server + "." + key + ": write user.LOCAL.username or user.LOCAL.password");
            }
            String login = mappings.get(user + ".username");
            if (login == null) {
                throw new IllegalArgumentException(file + ": " + server + "." + user + ".username is missing");
            }
            if (key.endsWith(".username")) {
                registry.mapUser(server, local, Credentials.of(login, mappings.get(user + ".password")));
            }
        }
    }
}

package dev.comporta.lease;

import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import redis.embedded.RedisExecProvider;
import redis.embedded.RedisServer;
import redis.embedded.RedisServerBuilder;

/** A real Redis that keeps nothing on disk: restarted, it is empty. */
final class RedisProcess implements AutoCloseable {
    /** A node of a cluster listens on this port too, counted from its own. */
    private static final int CLUSTER_BUS = 10_000;

    private static final Set<Integer> TAKEN = new HashSet<>();

    private final int port;
    private final String[] settings;
    private RedisServer server;

    RedisProcess(String... settings) throws IOException {
        this(freePort(), settings);
    }

    RedisProcess(int port, String... settings) throws IOException {
        this.port = port;
        this.settings = settings;
        server = start();
    }

    /** Below the range that outgoing connections take theirs from, so that nobody has it after a restart. */
    static synchronized int freePort() throws IOException {
        int port = 20_000 + (int) (ProcessHandle.current().pid() % 5000);
        while (TAKEN.contains(port) || !isFree(port) || !isFree(port + CLUSTER_BUS)) {
            port++;
        }
        TAKEN.add(port);
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port)) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private RedisServer start() throws IOException {
        RedisServerBuilder builder = RedisServer.builder().port(port).setting("bind 127.0.0.1");
        builder.setting("save \"\"").setting("appendonly no").setting("maxmemory 64mb");
        for (String setting : settings) {
            builder.setting(setting);
        }
        RedisServer made = builder.build();
        made.start();
        return made;
    }

    /** The program that comes with the library. */
    static Path executable() throws IOException {
        return RedisExecProvider.defaultProvider().get().toPath();
    }

    int port() {
        return port;
    }

    RedisEndpoint endpoint() {
        return RedisEndpoint.standalone("127.0.0.1", port).withCommandTimeout(java.time.Duration.ofMillis(500));
    }

    void stop() throws IOException {
        server.stop();
    }

    void startEmpty() throws IOException {
        server = start();
    }

    /** Commands carried out so far, those inside scripts included. */
    long commands() {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        try (var connection = client.connect()) {
            String stats = connection.sync().info("stats");
            return stats.lines()
                    .filter(line -> line.startsWith("total_commands_processed:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .findFirst()
                    .orElseThrow();
        } finally {
            client.shutdown();
        }
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }
}

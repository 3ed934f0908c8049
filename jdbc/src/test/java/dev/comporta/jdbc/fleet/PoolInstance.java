package dev.comporta.jdbc.fleet;

import dev.comporta.jdbc.ComportaDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application with a pool, as a process. Its arguments are the pool's settings. It does what its standard input says:
 * {@code hold} takes one more connection and keeps it, {@code release} gives all back, {@code tell} prints how many it has.
 */
public final class PoolInstance {
    private final ComportaDataSource pool;
    private final Deque<Connection> held = new ArrayDeque<>();
    private final AtomicInteger failed = new AtomicInteger();

    private PoolInstance(ComportaDataSource pool) {
        this.pool = pool;
    }

    public static void main(String[] settings) throws IOException, SQLException {
        Properties properties = new Properties();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            properties.setProperty(setting.substring(0, equals), setting.substring(equals + 1));
        }
        try (ComportaDataSource pool = new ComportaDataSource(properties)) {
            pool.getConnection().close();
            say("ready");
            new PoolInstance(pool).obey();
        }
    }

    private static synchronized void say(String answer) {
        System.out.println("> " + answer);
        System.out.flush();
    }

    private void obey() throws IOException, SQLException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            switch (order) {
                case "hold" -> Thread.startVirtualThread(this::hold);
                case "release" -> release();
                case "tell" -> say(heldNow() + " " + failed.get() + " " + pool.getTotalConnections());
                default -> throw new IllegalArgumentException(order);
            }
        }
    }

    private void hold() {
        try {
            Connection connection = pool.getConnection();
            synchronized (this) {
                held.add(connection);
            }
        } catch (SQLException e) {
            failed.incrementAndGet();
            say("failed: " + e.getMessage());
        }
    }

    private synchronized int heldNow() {
        return held.size();
    }

    private synchronized void release() throws SQLException {
        while (!held.isEmpty()) {
            held.remove().close();
        }
    }
}

package dev.comporta.e2e.crosstalk;

import static org.awaitility.Awaitility.await;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.e2e.Target;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.RawClient;
import dev.comporta.testkit.crosstalk.DriverSession;
import dev.comporta.testkit.crosstalk.JdbcSession;
import dev.comporta.testkit.crosstalk.Stranger;
import java.util.HashMap;
import java.util.Map;

/** A stand-in that counts, with a proxy before it that has one bucket in transaction mode. */
record Place(Standin standin, Instance instance) implements AutoCloseable {
    private static final String USER = RawClient.USER;
    private static final String PASSWORD = RawClient.PASSWORD;

    /** @param limit the most connections to the stand-in */
    static Place open(int limit) throws Exception {
        Standin standin = Standin.builder()
                .address("127.0.0.1")
                .port(0)
                .database("AppDB")
                .database("Other")
                .login(USER, PASSWORD)
                .start();
        Instance instance = LocalInstance.start(
                LocalInstance.PATIENT + "default_bucket: place", """
                buckets:
                  - id: place
                    host: 127.0.0.1
                    port: %d
                    max_connections: %d
                    min_idle: 0
                    pool_mode: transaction
                    encrypt: off
                """.formatted(standin.port(), limit));
        return new Place(standin, instance);
    }

    void prepare() throws Exception {
        for (String sql : Stranger.TABLES) {
            ask(sql);
        }
    }

    /** How many entries of each client are in the ledger, if any. */
    Map<Integer, Integer> entries() throws Exception {
        Map<Integer, Integer> entries = new HashMap<>();
        String found = ask("SELECT client FROM ledger");
        for (String client : found.isEmpty() ? new String[0] : found.split(",")) {
            entries.merge(Integer.valueOf(client), 1, Integer::sum);
        }
        return entries;
    }

    /** Those who came past the proxy to see what a new session looks like count no longer, once all have left. */
    void forgetWhoLooked() {
        await("they have left")
                .until(() -> standin.counters().sessionsOpen()
                        <= glance().pool().slots().held());
        standin.forgetMostSessions();
    }

    private String ask(String sql) throws Exception {
        DriverSession session = JdbcSession.mssql(proxied().port(), false);
        session.connect();
        try {
            return session.ask(sql);
        } finally {
            session.close();
        }
    }

    Target server() {
        return new Target("127.0.0.1", standin.port(), USER, PASSWORD, "AppDB");
    }

    Target proxied() {
        return new Target("127.0.0.1", instance.proxy().port(), USER, PASSWORD, "AppDB");
    }

    BucketLoop.Glance glance() {
        return instance.proxy().glance("place");
    }

    @Override
    public void close() {
        instance.close();
        standin.close();
    }
}

package dev.comporta.e2e.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.e2e.Target;
import dev.comporta.pool.state.PinReason;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.util.List;

/** A stand-in that counts, with a proxy before it that has one bucket in transaction mode. */
record PreparedPlace(Standin standin, Instance instance) implements AutoCloseable {
    /** @param limit {@code max_connections} */
    static PreparedPlace open(int limit) throws IOException {
        Standin standin = Standin.builder()
                .address("127.0.0.1")
                .port(0)
                .database("AppDB")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
        Instance instance =
                LocalInstance.start(LocalInstance.PATIENT + "default_bucket: place\ntls: {mode: off}", """
                buckets:
                  - id: place
                    host: 127.0.0.1
                    port: %d
                    max_connections: %d
                    min_idle: 0
                    pool_mode: transaction
                    encrypt: off
                """.formatted(
                                standin.port(), limit));
        return new PreparedPlace(standin, instance);
    }

    /** Asks the stand-in itself. */
    List<String> ask(String sql) throws IOException {
        try (RawClient client = RawClient.loggedIn(standin.port())) {
            List<String> tokens = client.answerTo(sql);
            assertThat(tokens).noneMatch(token -> token.startsWith("ERROR"));
            return tokens.stream().filter(token -> token.startsWith("ROW")).toList();
        }
    }

    Target proxied() {
        return new Target("127.0.0.1", port(), RawClient.USER, RawClient.PASSWORD, "AppDB");
    }

    int port() {
        return instance.proxy().port();
    }

    /** How often a client had to keep its connection for a prepared statement. */
    long pins() {
        return instance.proxy().glance("place").pool().pins().getOrDefault(PinReason.PREPARED_STATEMENT, 0L);
    }

    @Override
    public void close() {
        instance.close();
        standin.close();
    }
}

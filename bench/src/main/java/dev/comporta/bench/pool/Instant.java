package dev.comporta.bench.pool;

import dev.comporta.pool.Orders;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;

/** A carrier without a network: connections are open as soon as they are ordered. */
final class Instant implements Orders {
    @Override
    public void attach(Waiter waiter, ServerConnection connection) {}

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        throw new IllegalStateException("refused: " + why);
    }

    @Override
    public void open(ServerConnection connection) {
        connection
                .bucket()
                .connectionEvents()
                .opened(connection, null, connection.bucket().now());
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        throw new IllegalStateException("closed: " + why);
    }

    @Override
    public void reset(ServerConnection connection) {
        throw new IllegalStateException("reset");
    }

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {
        throw new IllegalStateException("validated");
    }
}

package dev.comporta.proxy.relay;

import dev.comporta.pool.Orders;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import java.util.ArrayList;
import java.util.List;

/** Notes the connections that a pool wants to have opened, and carries out nothing. */
public final class OpenOrders implements Orders {
    private final List<ServerConnection> connections = new ArrayList<>();

    List<ServerConnection> connections() {
        return connections;
    }

    @Override
    public void open(ServerConnection connection) {
        connections.add(connection);
    }

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {}

    @Override
    public void refuse(Waiter waiter, Refusal why) {}

    @Override
    public void close(ServerConnection connection, CloseReason why) {}

    @Override
    public void reset(ServerConnection connection) {}

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {}
}

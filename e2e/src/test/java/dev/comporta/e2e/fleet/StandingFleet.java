package dev.comporta.e2e.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** A fleet on one Redis with one bucket, for as long as nothing about it is broken for good. */
final class StandingFleet implements AutoCloseable {
    /** Divides evenly among two, three and four instances. */
    private static final int LIMIT = 12;

    final ServedBucket orders = new ServedBucket("orders", LIMIT);
    final OneRedis redis = new OneRedis();
    final FleetOfProcesses fleet;

    StandingFleet(Path directory) throws IOException, SQLException {
        fleet = new FleetOfProcesses(Files.createTempDirectory(directory, "fleet"), redis, orders);
    }

    @Override
    public void close() {
        fleet.close();
        redis.close();
        orders.close();
    }
}

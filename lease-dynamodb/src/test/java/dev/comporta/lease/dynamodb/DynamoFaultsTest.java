package dev.comporta.lease.dynamodb;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.suite.FaultsSuite;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A table of its own for each test, in one DynamoDB. */
class DynamoFaultsTest extends FaultsSuite {
    private static final AtomicInteger TABLES = new AtomicInteger();

    private static DynamoProcess dynamo;

    private final String table = "faults-" + TABLES.incrementAndGet();

    @BeforeAll
    static void startDynamo() throws IOException {
        dynamo = new DynamoProcess();
    }

    @AfterAll
    static void stopDynamo() {
        dynamo.close();
    }

    @Override
    protected Way newWay() {
        Faults faults = new Faults();
        return new Way() {
            @Override
            public LeaseStore connect(LeaseSettings settings, LeaseClock clock) {
                return TestStore.connect(dynamo, table, settings, clock, faults);
            }

            @Override
            public void cut() {
                faults.cut();
            }

            @Override
            public void mend() {
                faults.mend();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    protected void stopStore() {
        dynamo.kill();
    }

    @Override
    protected void startStoreEmpty() {
        dynamo.startEmpty();
    }
}

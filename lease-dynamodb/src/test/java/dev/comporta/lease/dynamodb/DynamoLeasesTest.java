package dev.comporta.lease.dynamodb;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.suite.LeasesSuite;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class DynamoLeasesTest extends LeasesSuite {
    private static DynamoProcess dynamo;

    private final Faults faults = new Faults();

    @BeforeAll
    static void startDynamo() throws IOException {
        dynamo = new DynamoProcess();
    }

    @AfterAll
    static void stopDynamo() {
        dynamo.close();
    }

    @Override
    protected LeaseStore connect(LeaseSettings settings, LeaseClock clock) {
        return TestStore.connect(dynamo, "comporta", settings, clock, faults);
    }

    @Override
    protected long commands() {
        return faults.requests();
    }

    /** Announcements wait until they are read. */
    @Override
    protected boolean isListening(LeaseStore store, String bucket) {
        return true;
    }
}

package dev.comporta.lease.dynamodb;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.lease.url.SettingNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How tests connect to their DynamoDB. */
final class TestStore {
    private TestStore() {}

    static DynamoEndpoint endpoint(DynamoProcess dynamo, String table, boolean createTable, Duration timeout) {
        return new DynamoEndpoint(
                table, Optional.of(DynamoProcess.REGION), Optional.of(dynamo.uri()), createTable, timeout, timeout);
    }

    static DynamoLeaseStore connect(
            DynamoProcess dynamo, String table, LeaseSettings settings, LeaseClock clock, Faults faults) {
        DynamoEndpoint endpoint = endpoint(dynamo, table, true, settings.longestCall());
        return DynamoLeaseStore.connect(settings, endpoint, SettingNames.KEYS, clock, List.of(faults));
    }
}

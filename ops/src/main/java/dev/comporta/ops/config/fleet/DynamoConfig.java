package dev.comporta.ops.config.fleet;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** The DynamoDB table that holds the fleet's slots. Credentials are not configured: the AWS SDK finds them. */
public record DynamoConfig(
        String table,
        Optional<String> region,
        Optional<URI> endpoint,
        boolean createTable,
        Duration dialTimeout,
        Duration readTimeout,
        HeartbeatConfig heartbeat) {
    private static final Key<String> TABLE = Key.of("table", ValueTypes.tableName(), "comporta");
    private static final Key<String> REGION =
            Key.derived("region", ValueTypes.identifier("an AWS region"), "`AWS_REGION`, or the region of the machine");
    private static final Key<URI> ENDPOINT =
            Key.derived("endpoint", ValueTypes.httpAddress(), "AWS' own of the region");
    private static final Key<Boolean> CREATE_TABLE = Key.of("create_table", ValueTypes.bool(), "true");
    private static final Key<Duration> DIAL_TIMEOUT = Key.of("dial_timeout", ValueTypes.duration(), "5s");
    private static final Key<Duration> READ_TIMEOUT = Key.of("read_timeout", ValueTypes.duration(), "3s");

    public static final Schema SCHEMA = Schema.of(TABLE, REGION, ENDPOINT, CREATE_TABLE, DIAL_TIMEOUT, READ_TIMEOUT)
            .plus(HeartbeatConfig.SCHEMA);

    public static DynamoConfig read(Section section) {
        return section.make(DynamoConfig::from);
    }

    private static DynamoConfig from(Section section) {
        return new DynamoConfig(
                section.get(TABLE),
                Optional.ofNullable(section.find(REGION)),
                Optional.ofNullable(section.find(ENDPOINT)),
                section.get(CREATE_TABLE),
                section.get(DIAL_TIMEOUT),
                section.get(READ_TIMEOUT),
                HeartbeatConfig.read(section));
    }
}

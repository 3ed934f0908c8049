package dev.comporta.lease.dynamodb;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The table that holds the fleet's books, and how to reach it. Credentials are those that the AWS SDK finds.
 *
 * @param region absent for the one that the SDK finds, in {@code AWS_REGION} or the machine's metadata
 * @param endpoint absent for AWS' endpoint of the region
 * @param createTable whether to create the table when there is none
 * @param dialTimeout the timeout for opening a connection
 * @param requestTimeout the timeout for the answer to one request
 */
public record DynamoEndpoint(
        String table,
        Optional<String> region,
        Optional<URI> endpoint,
        boolean createTable,
        Duration dialTimeout,
        Duration requestTimeout) {
    /** The same, with no timeout longer than this. */
    DynamoEndpoint withTimeoutsAtMost(Duration longest) {
        return new DynamoEndpoint(
                table, region, endpoint, createTable, shorter(dialTimeout, longest), shorter(requestTimeout, longest));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** For logs. */
    String where() {
        return "table " + table + " in " + region.map(r -> "region " + r).orElse("the default region")
                + endpoint.map(e -> " at " + e).orElse("");
    }
}

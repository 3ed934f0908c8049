package dev.comporta.app;

import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.proxy.session.Traceless;
import java.util.Optional;

/**
 * Checks the query of a bucket's health check. It runs on a connection between the requests of two clients, so it must not
 * change the session: the next client would see the change.
 */
final class HealthQuery {
    private HealthQuery() {}

    /** What is wrong with the query, and what to do; absent if it can be used. */
    static Optional<String> problem(BucketConfig bucket) {
        String query = bucket.health().query();
        return Traceless.is(query)
                ? Optional.empty()
                : Optional.of("bucket %s: health.query \"%s\" may change the session that a client gets next."
                                .formatted(bucket.id(), query)
                        + " Ask something that only reads, such as SELECT 1.");
    }
}

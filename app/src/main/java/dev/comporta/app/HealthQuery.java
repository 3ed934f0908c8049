package dev.comporta.app;

import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.proxy.session.Traceless;
import java.util.Optional;

/**
 * The query of a bucket's health check. It runs on a connection between the requests of two clients, so it must leave the
 * session as it finds it: the next client would find what it changed.
 */
final class HealthQuery {
    private HealthQuery() {}

    /** What is wrong with it, and what to do; absent when it can be asked. */
    static Optional<String> problem(BucketConfig bucket) {
        String query = bucket.health().query();
        return Traceless.is(query)
                ? Optional.empty()
                : Optional.of("bucket %s: health.query \"%s\" may change the session that a client gets next."
                                .formatted(bucket.id(), query)
                        + " Ask something that only reads, such as SELECT 1.");
    }
}

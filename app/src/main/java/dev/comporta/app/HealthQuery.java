package dev.comporta.app;

import dev.comporta.ops.config.BucketConfig;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.Scope;
import dev.comporta.tds.sql.SqlFindings;
import dev.comporta.tds.sql.SqlScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
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
        ByteBuf text = Unpooled.wrappedBuffer(query.getBytes(StandardCharsets.UTF_16LE));
        SqlFindings found = new SqlScanner().scan(text, 0, text.readableBytes(), Scope.BATCH);
        boolean harmless = found.setCount() == 0
                && !found.has(Finding.CHANGES_DATABASE)
                && !found.hasAny(Effect.TRANSACTION)
                && !found.hasAny(Effect.OPAQUE)
                && !found.hasAny(Effect.PIN)
                && !found.hasAny(Effect.NEXT_REQUEST);
        return harmless
                ? Optional.empty()
                : Optional.of("bucket %s: health.query \"%s\" may change the session that a client gets next."
                                .formatted(bucket.id(), query)
                        + " Ask something that only reads, such as SELECT 1.");
    }
}

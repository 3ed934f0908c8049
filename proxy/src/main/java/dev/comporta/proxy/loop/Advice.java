package dev.comporta.proxy.loop;

import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.Refusal;

/** What a client is told when it gets no server connection: what is the matter, and what can be done. */
public final class Advice {
    private Advice() {}

    public static String of(Refusal why, BucketSpec spec, BucketRunner bucket) {
        if (bucket.isPaused() && (why == Refusal.QUEUE_TIMEOUT || why == Refusal.QUEUE_FULL)) {
            return ofPause(why, spec);
        }
        String id = spec.id();
        int limit = spec.settings().maxConnections();
        return switch (why) {
            case POOL_EXHAUSTED ->
                "all %d connections of bucket %s are in use and it does not queue. Try again, or raise max_connections."
                        .formatted(limit, id);
            case QUEUE_TIMEOUT ->
                "waited %d s for one of the %d connections of bucket %s. Try again, or raise max_connections or queue_timeout."
                        .formatted(spec.settings().queue().timeout().toSeconds(), limit, id);
            case QUEUE_FULL ->
                "%d requests wait for bucket %s already. Try again later, or raise max_connections or max_queue_size."
                        .formatted(spec.settings().queue().maxSize(), id);
            case SERVER_UNAVAILABLE ->
                "the server of bucket %s, %s:%d, does not answer%s. Try again when it is up."
                        .formatted(id, spec.dial().host(), spec.dial().port(), because(bucket));
            case LOGIN_REJECTED ->
                "the server of bucket %s rejects the login that this session was opened with. Log in again."
                        .formatted(id);
            case LOGIN_FAILED ->
                "the server of bucket %s does not answer the login that this session was opened with. Try again, or log in again."
                        .formatted(id);
            case REMOVED -> "bucket %s was removed from the configuration. Connect again.".formatted(id);
        };
    }

    private static String ofPause(Refusal why, BucketSpec spec) {
        String waits = why == Refusal.QUEUE_TIMEOUT
                ? "waited %d s".formatted(spec.settings().queue().timeout().toSeconds())
                : "%d requests wait already".formatted(spec.settings().queue().maxSize());
        return "bucket %s is paused by its operator; %s. Try again when it is resumed.".formatted(spec.id(), waits);
    }

    public static String ofManyLogins(BucketSpec spec) {
        return "too many logins wait for the server of bucket %s already. Try again later.".formatted(spec.id());
    }

    /** @param why what the server did instead of answering */
    public static String ofFailedLogin(BucketSpec spec, String why) {
        return "the server of bucket %s, %s:%d, gave no answer to this login (%s). Try again; if other logins work, look at this one's TDS version and options."
                .formatted(spec.id(), spec.dial().host(), spec.dial().port(), why);
    }

    public static String ofQueryTimeout(BucketSpec spec) {
        return "the request ran for longer than %d ms and was cancelled. Make it faster, or raise query_timeout."
                .formatted(spec.limits().query().toMillis());
    }

    private static String because(BucketRunner bucket) {
        return bucket.healthReason().isEmpty() ? "" : " (" + bucket.healthReason() + ")";
    }
}

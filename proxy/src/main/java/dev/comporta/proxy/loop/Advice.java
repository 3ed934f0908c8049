package dev.comporta.proxy.loop;

import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.Refusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Error texts for clients that get no server connection: the cause, and what to do about it. */
public final class Advice {
    private Advice() {}

    /**
     * @param server the server in use
     * @param complaint why it can't be used though it is up, as a clause that follows its name; empty if it can
     */
    static String of(Refusal why, BucketSpec spec, BucketRunner bucket, String server, String complaint) {
        boolean byTheQueue = why == Refusal.QUEUE_TIMEOUT || why == Refusal.QUEUE_FULL;
        if (byTheQueue && bucket.isPaused()) {
            return "bucket %s is paused by its operator; %s. Try again when it is resumed."
                    .formatted(spec.id(), waits(why, spec));
        }
        if (byTheQueue && bucket.isFailing()) {
            return "the server of bucket %s, %s, has not answered since %s%s; %s. Try again when it is up."
                    .formatted(
                            spec.id(), server, since(bucket, bucket.failingSince()), because(bucket), waits(why, spec));
        }
        if (bucket.isFull() && (byTheQueue || why == Refusal.POOL_EXHAUSTED)) {
            return "the server of bucket %s, %s, is full since %s (%s); %s. Try again, or have the server take more connections."
                    .formatted(
                            spec.id(),
                            server,
                            since(bucket, bucket.fullSince()),
                            bucket.fullReason(),
                            waits(why, spec));
        }
        if (why == Refusal.QUEUE_TIMEOUT && !complaint.isEmpty()) {
            return "%s for the server of bucket %s, %s, %s Try again when it is ready."
                    .formatted(waits(why, spec), spec.id(), server, complaint);
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
                "the server of bucket %s, %s, does not answer%s. Try again when it is up."
                        .formatted(id, server, because(bucket));
            case LOGIN_REJECTED ->
                "the server of bucket %s rejects the login that this session was opened with. Log in again."
                        .formatted(id);
            case LOGIN_FAILED ->
                "the server of bucket %s does not answer the login that this session was opened with. Try again, or log in again."
                        .formatted(id);
            case REMOVED -> "bucket %s was removed from the configuration. Connect again.".formatted(id);
        };
    }

    private static String waits(Refusal why, BucketSpec spec) {
        if (why == Refusal.POOL_EXHAUSTED) {
            return "this bucket does not queue";
        }
        return why == Refusal.QUEUE_TIMEOUT
                ? "waited %d s".formatted(spec.settings().queue().timeout().toSeconds())
                : "%d requests wait already".formatted(spec.settings().queue().maxSize());
    }

    private static Instant since(BucketRunner bucket, long bucketTime) {
        return Instant.now().minusNanos(bucket.now() - bucketTime).truncatedTo(ChronoUnit.SECONDS);
    }

    public static String ofAddress(BucketSpec spec) {
        return "this client's address is not allowed for bucket %s. Connect from another, or have its allow and deny changed."
                .formatted(spec.id());
    }

    /** @param waitNanos time until the password can be tried */
    public static String ofManyFailedLogins(BucketSpec spec, String user, long waitNanos) {
        return ("Login failed for user '%s'. Too many failed logins: bucket %s does not send this password to the server now."
                        + " Try again in %d s, or have max_failed_logins raised.")
                .formatted(user, spec.id(), Math.max(1, TimeUnit.NANOSECONDS.toSeconds(waitNanos)));
    }

    public static String ofManyLogins(BucketSpec spec) {
        return "too many logins wait for the server of bucket %s already. Try again later.".formatted(spec.id());
    }

    /** @param why what the server did instead of answering */
    static String ofFailedLogin(BucketSpec spec, String server, String why) {
        return "the server of bucket %s, %s, gave no answer to this login (%s). Try again; if other logins work, look at this one's TDS version and options."
                .formatted(spec.id(), server, why);
    }

    public static String ofNoPassword(BucketSpec spec) {
        return "the service account of bucket %s has no password now. Try again; the instance's log says why."
                .formatted(spec.id());
    }

    public static String ofQueryTimeout(BucketSpec spec) {
        return "the request ran for longer than %d ms and was cancelled. Make it faster, or raise query_timeout."
                .formatted(spec.limits().query().toMillis());
    }

    private static String because(BucketRunner bucket) {
        return bucket.healthReason().isEmpty() ? "" : " (" + bucket.healthReason() + ")";
    }
}

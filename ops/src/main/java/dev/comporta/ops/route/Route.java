package dev.comporta.ops.route;

/** Where a client's login leads. */
public sealed interface Route {
    /** What decided, in the order in which it is asked. */
    enum Rule {
        DATABASE,
        SERVER_NAME,
        USER,
        LISTENER,
        DEFAULT_BUCKET
    }

    /** @param bucket the bucket's id */
    record To(String bucket, Rule rule) implements Route {}

    /** @param reason a sentence for the client, with what can be done about it */
    record None(String reason) implements Route {}
}

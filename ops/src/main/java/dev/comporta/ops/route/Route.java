package dev.comporta.ops.route;

/** The result of routing a client's login. */
public sealed interface Route {
    /** The property of the login that decided, in order of precedence. */
    enum Rule {
        DATABASE,
        SERVER_NAME,
        USER,
        LISTENER,
        DEFAULT_BUCKET
    }

    /** @param bucket the bucket's id */
    record To(String bucket, Rule rule) implements Route {}

    /** @param reason a sentence for the client that says why, and what to do */
    record None(String reason) implements Route {}
}

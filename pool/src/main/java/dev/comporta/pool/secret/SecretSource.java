package dev.comporta.pool.secret;

import java.time.Duration;

/** Where the secret of a login comes from: a command, a vault, a signature. */
@FunctionalInterface
public interface SecretSource<S> {
    /**
     * The secret as it is now. May block: it is called on a thread of its own.
     *
     * @throws Exception if there is none; its message says why, and contains no part of the secret
     */
    Issued<S> fetch() throws Exception;

    /** @param goodFor how long it may be used for logins; zero for the one login that it was asked for */
    record Issued<S>(S secret, Duration goodFor) {}
}

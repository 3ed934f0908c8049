package dev.comporta.proxy.admit;

import dev.comporta.proxy.admit.LoginTries.Verdict;
import dev.comporta.proxy.admit.LoginTries.Verdict.Try;
import dev.comporta.proxy.listen.RefusedConnections;
import dev.comporta.proxy.listen.RefusedConnections.Reason;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.loop.Advice;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.BucketSpec.Authentication;
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.loop.Dedications;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.session.ProxyError;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the results of earlier logins to the next: delays it after failures, and decides whether its password is sent to
 * the server. Confined to the bucket's loop.
 */
final class LoginHistory {
    private static final int LOGIN_FAILED = 18456;
    private static final int LOGIN_FAILED_SEVERITY = 14;
    /** For {@code auth: mapped}, where no client's password reaches the server: nothing is counted. */
    private static final EntryRules NO_TRIES = new EntryRules(AddressRules.EVERYBODY, 0, Duration.ZERO);

    private final BucketLoop bucketLoop;
    private final RefusedConnections refused;
    private final LoginDelays delays = new LoginDelays();
    private final DelayedLogins delayed;
    private final LoginTries tries = new LoginTries();

    LoginHistory(BucketLoop bucketLoop, RefusedConnections refused) {
        this.bucketLoop = bucketLoop;
        this.refused = refused;
        delayed = new DelayedLogins(bucketLoop.loop(), this::tooMany);
    }

    /** Passes a client on to be judged: at once, or after a delay if its user or its address has failed recently. */
    void afterDelay(ClientHello client, Consumer<ClientHello> judge) {
        long delay = delays.of(client.login().userName(), addressOf(client), bucketLoop.now());
        if (delay == 0) {
            judge.accept(client);
        } else {
            delayed.add(client, addressOf(client), delay, judge);
        }
    }

    private void tooMany(ClientHello client) {
        bucketLoop.refusal().refuse(client, ProxyError.QUEUE_FULL, Advice.ofManyLogins(bucketLoop.spec()));
    }

    private static InetAddress addressOf(ClientHello client) {
        return ClientAddress.networkOf(ClientAddress.ipOf(client.channel()));
    }

    void failed(ClientHello client) {
        delays.failed(client.login().userName(), addressOf(client), bucketLoop.now());
    }

    void accepted(ClientHello client) {
        delays.accepted(client.login().userName());
    }

    void reject(ClientHello client) {
        reject(client, "Login failed for user '%s'.".formatted(client.login().userName()));
    }

    private void reject(ClientHello client, String text) {
        failed(client);
        bucketLoop.refusal().error(client, LOGIN_FAILED, LOGIN_FAILED_SEVERITY, text);
    }

    private EntryRules rules() {
        BucketSpec now = bucketLoop.spec();
        return now.authentication() instanceof Authentication.Passthrough ? now.entry() : NO_TRIES;
    }

    /**
     * Takes one of the login's tries for sending the client's password to the server, or rejects the client.
     *
     * @param tag the password's tag
     * @param accepted whether the server has ever accepted it
     * @return null if the client was rejected
     */
    @Nullable
    Try tryOrReject(ClientHello client, String tag, boolean accepted) {
        String user = client.login().userName();
        return switch (tries.of(user, tag, accepted, rules(), bucketLoop.now())) {
            case Try tried -> tried;
            case Verdict.KnownWrong _ -> {
                reject(client);
                yield null;
            }
            case Verdict.TooMany(long waitNanos) -> {
                refused.count(Reason.TOO_MANY_FAILED_LOGINS);
                reject(client, Advice.ofManyFailedLogins(bucketLoop.spec(), user, waitNanos));
                yield null;
            }
        };
    }

    void accepted(Try tried) {
        tries.accepted(tried);
    }

    /** @param wrong whether the server has rejected the password; otherwise it has not judged it */
    void refused(Try tried, boolean wrong) {
        if (wrong) {
            tries.rejected(tried, rules(), bucketLoop.now());
        } else {
            tries.undecided(tried);
        }
    }

    /** @param tried null for a login whose name only the server can read */
    Dedications.Judged judged(ClientHello client, @Nullable Try tried) {
        return new DedicatedTry(this, tried, client.login().userName(), addressOf(client));
    }

    private record DedicatedTry(
            LoginHistory history, @Nullable Try tried, String user, Object address) implements Dedications.Judged {
        @Override
        public void accepted() {
            if (tried != null) {
                history.accepted(tried);
            }
        }

        @Override
        public void rejected() {
            if (tried == null) {
                history.delays.failedFrom(address, history.bucketLoop.now());
            } else {
                history.delays.failed(user, address, history.bucketLoop.now());
                history.refused(tried, true);
            }
        }

        @Override
        public void undecided() {
            if (tried != null) {
                history.refused(tried, false);
            }
        }
    }
}

package dev.comporta.proxy.admit;

import dev.comporta.pool.secret.CurrentSecret;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.admit.Accounts.Account;
import dev.comporta.proxy.admit.LoginTries.Verdict.Try;
import dev.comporta.proxy.listen.RefusedConnections;
import dev.comporta.proxy.listen.RefusedConnections.Reason;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ClientLogin;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.loop.Advice;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.BucketSpec.Authentication;
import dev.comporta.proxy.loop.Dedications;
import dev.comporta.proxy.loop.LoginCheck;
import dev.comporta.proxy.loop.ServerPool;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.relay.PooledClient;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketDecoder;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Admits clients to a bucket, or refuses them. The server checks credentials; those that it has accepted within their TTL are
 * trusted, so that ten thousand logins at once cost it one. Confined to the bucket's loop.
 */
public final class Admission {
    /** The interval at which unused pools are evicted: with hundreds of thousands, that takes some milliseconds. */
    private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final BucketLoop bucketLoop;
    private final SocketLimits limits;
    private BucketSpec spec;
    private Accounts accounts;
    private final SecretTags tags = new SecretTags();
    private final RefusedConnections refused;
    private final LoginHistory history;
    private final Map<PoolKey, ServerPool> pools = new HashMap<>();
    private long forgetAt;

    /** Any thread. */
    public Admission(BucketLoop bucketLoop, SocketLimits limits, RefusedConnections refused) {
        this.refused = refused;
        this.bucketLoop = bucketLoop;
        this.limits = limits;
        spec = bucketLoop.spec();
        accounts = new Accounts(spec, limits);
        history = new LoginHistory(bucketLoop, refused);
        bucketLoop.loop().execute(() -> bucketLoop.sweepAlso(this::forgetUnused));
    }

    public BucketLoop bucketLoop() {
        return bucketLoop;
    }

    /** Opens the first connections, if their login is known. Completes when they are open or their time has expired. Any thread. */
    public Future<Void> warmUp() {
        bucketLoop.loop().execute(() -> bucketLoop.warmUp(expected()));
        return bucketLoop.warmedUp();
    }

    /** Not for the loop's own thread. */
    public Future<BucketLoop.Glance> glance() {
        return bucketLoop.loop().submit(() -> bucketLoop.glance(pools.size()));
    }

    /** Every client, waiter and server connection of the bucket. Any thread. */
    public Future<BucketDetail> detail() {
        return bucketLoop.detail();
    }

    /** The accounts by the bucket's present settings, whose changes don't affect clients that are admitted already. */
    private Accounts accounts() {
        if (!spec.equals(bucketLoop.spec())) {
            spec = bucketLoop.spec();
            accounts = new Accounts(spec, limits);
        }
        return accounts;
    }

    private long ttlNanos() {
        return bucketLoop.spec().credentialTtl().toNanos();
    }

    /**
     * Admits or refuses a client that was routed here; its channel is registered with the bucket's loop. Trusted credentials
     * are admitted at once. Credentials that the server accepted when last asked are checked at once; any other login is
     * delayed first if logins of its user or address have failed recently.
     */
    public void admit(ClientHello client) {
        if (!bucketLoop.spec().entry().addresses().admit(ClientAddress.ipOf(client.channel()))) {
            refused.count(Reason.DENIED_BY_BUCKET);
            bucketLoop.refusal().refuse(client, ProxyError.NO_ROUTE, Advice.ofAddress(bucketLoop.spec()));
            return;
        }
        Account account = accounts().of(client.login());
        ServerPool known = account == null || Dedications.isNeeded(client) ? null : pools.get(keyOf(account));
        if (known != null && known.isTrusted(bucketLoop.now(), ttlNanos())) {
            enter(client, known, RelayCounters.Login.KNOWN);
        } else if (known != null && known.accepted() != null && known.rejected() == null) {
            judge(client); // the server accepted this password when last asked: failures of others must not delay it
        } else {
            history.afterDelay(client, this::judge);
        }
    }

    private void judge(ClientHello client) {
        Account account = accounts().of(client.login());
        if (account == null) {
            history.reject(client);
            return;
        }
        if (Dedications.isNeeded(client)) {
            dedicate(client, account);
            return;
        }
        PoolKey key = keyOf(account);
        ServerPool pool = pools.get(key);
        if (pool != null && pool.isTrusted(bucketLoop.now(), ttlNanos())) {
            enter(client, pool, RelayCounters.Login.KNOWN);
        } else if (pool != null && pool.isAwaited()) {
            pool.await(client);
        } else {
            Try tried = history.tryOrReject(client, key.secretTag(), pool != null && pool.accepted() != null);
            if (tried != null) {
                check(poolFor(account), client, tried);
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the client gets the result
    private void dedicate(ClientHello client, Account account) {
        CurrentSecret<Secret> supplied =
                bucketLoop.spec().authentication() instanceof Authentication.Mapped mapped ? mapped.supplied() : null;
        if (supplied == null) {
            dedicate(client, account, account.login());
            return;
        }
        supplied.get()
                .whenComplete((password, failed) -> bucketLoop.loop().execute(() -> {
                    if (failed != null) {
                        bucketLoop.tellNoSecret(failed);
                        bucketLoop
                                .refusal()
                                .refuse(client, ProxyError.SERVER_UNAVAILABLE, Advice.ofNoPassword(bucketLoop.spec()));
                    } else if (client.channel().isActive()) {
                        dedicate(
                                client,
                                account,
                                account.login().toBuilder().password(password).build());
                    }
                }));
    }

    private void dedicate(ClientHello client, Account account, Login7 asked) {
        Login7 login = client.login();
        Try tried = null;
        if (!login.isIntegrated()) {
            tried = history.tryOrReject(client, tags.of(login.password()), false);
            if (tried == null) {
                return;
            }
        }
        bucketLoop.dedications().admit(client, asked, account.countedAs(), history.judged(client, tried));
    }

    /** The pool that the bucket's clients will probably use, before one has connected; null when no account is known. */
    private @Nullable ServerPool expected() {
        Account account = accounts().expected();
        return account == null ? null : poolFor(account);
    }

    /** Evicts unused pools: there may be hundreds of thousands of logins that came once. */
    private void forgetUnused(long now) {
        if (now >= forgetAt) {
            forgetAt = now + Math.min(FORGET_NANOS, ttlNanos());
            pools.values().removeIf(pool -> pool.isForgettable(now, ttlNanos()));
        }
    }

    private ServerPool poolFor(Account account) {
        return pools.computeIfAbsent(
                keyOf(account),
                _ -> new ServerPool(
                        bucketLoop.runner(), accounts().shared(account), account.countedAs(), account.service()));
    }

    private PoolKey keyOf(Account account) {
        Login7 login = accounts().shared(account); // a service account has no password here
        return new PoolKey(
                login.userName(),
                tags.of(login.password()),
                login.profile(),
                login.hostName(),
                login.appName(),
                account.countedAs());
    }

    private void check(ServerPool pool, ClientHello client, Try tried) {
        pool.await(client);
        // A pool with connections would use one of those, which does not prove that the password is still valid.
        ServerPool through = pool.accepted() == null ? pool : passing(pool);
        LoginCheck check = new LoginCheck(pool, through, bucketLoop.runner(), new SharedTry(this, tried));
        bucketLoop
                .checks()
                .take(check, ClientAddress.networkOf(ClientAddress.ipOf(client.channel())), bucketLoop.now());
    }

    private ServerPool passing(ServerPool like) {
        ServerPool made =
                new ServerPool(bucketLoop.runner(), like.login(), like.pool().login(), like.asksForPassword());
        made.pool().keepNoStock();
        return made;
    }

    private record SharedTry(Admission admission, Try tried) implements LoginCheck.Outcome {
        @Override
        public void accepted(LoginCheck check) {
            admission.history.accepted(tried);
            admission.accepted(check);
            admission.bucketLoop.checks().end(check);
        }

        @Override
        public void refused(LoginCheck check, Refusal why) {
            LoginResponse rejected = check.through().rejected();
            boolean wrong = why == Refusal.LOGIN_REJECTED && rejected != null && rejected.isOfCredentials();
            admission.history.refused(tried, wrong);
            admission.refused(check, why);
            admission.bucketLoop.checks().end(check);
        }
    }

    private void accepted(LoginCheck check) {
        ServerPool pool = check.about();
        LoginResponse response = Objects.requireNonNull(check.through().accepted());
        pool.accepted(response, bucketLoop.now());
        retireHelper(check);
        for (ClientHello client : pool.takeUndecided()) {
            history.accepted(client);
            enter(client, pool, RelayCounters.Login.CHECKED);
        }
    }

    private void refused(LoginCheck check, Refusal why) {
        ServerPool pool = check.about();
        LoginResponse rejected = check.through().rejected();
        String advice = advice(check, why);
        boolean failed = why == Refusal.LOGIN_REJECTED || why == Refusal.LOGIN_FAILED;
        retireHelper(check);
        if (why == Refusal.LOGIN_REJECTED && rejected != null) {
            pool.rejected(rejected); // the check ran in another pool: this one keeps its result
        }
        for (ClientHello client : pool.takeUndecided()) {
            if (failed) {
                history.failed(client);
            }
            if (why == Refusal.LOGIN_REJECTED && rejected != null) {
                bucketLoop.refusal().reject(client, rejected);
            } else {
                bucketLoop.refusal().refuse(client, ProxyError.of(why), advice);
            }
        }
        if (pool.accepted() == null) {
            // The server has never accepted these credentials: guesses must not accumulate.
            pools.values().remove(pool);
            retire(pool);
        }
    }

    private String advice(LoginCheck check, Refusal why) {
        return switch (why) {
            case LOGIN_FAILED -> bucketLoop.adviceOfFailedLogin(check.through().failure());
            case QUEUE_FULL -> Advice.ofManyLogins(bucketLoop.spec());
            case POOL_EXHAUSTED, QUEUE_TIMEOUT, SERVER_UNAVAILABLE, LOGIN_REJECTED, REMOVED -> bucketLoop.advice(why);
        };
    }

    private void retireHelper(LoginCheck check) {
        if (check.through() != check.about()) {
            retire(check.through());
        }
    }

    private void retire(ServerPool pool) {
        bucketLoop.runner().retire(pool.pool());
    }

    private void enter(ClientHello client, ServerPool pool, RelayCounters.Login judged) {
        Channel channel = client.channel();
        if (!channel.isActive()) {
            return;
        }
        String ending = bucketLoop.endingAdvice();
        if (ending != null) {
            bucketLoop.refusal().refuse(client, ProxyError.SERVER_UNAVAILABLE, ending);
            return;
        }
        client.progress().judged();
        bucketLoop.counters().logins.add(judged, 1);
        LoginResponse response = Objects.requireNonNull(pool.accepted());
        ClientIdentity identity = bucketLoop.identities().take(ClientIdentity.of(client.login(), client.encrypted()));
        PooledClient session =
                new PooledClient(bucketLoop.nextClient(), identity, bucketLoop.sharing(), pool.pool(), response);
        channel.pipeline().get(PacketDecoder.class).maxLength(response.packetSize());
        channel.pipeline().replace(ClientLogin.class, null, session);
        bucketLoop.entered(session, pool);
    }
}

package dev.comporta.proxy.admit;

import dev.comporta.pool.secret.CurrentSecret;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.admit.Accounts.Account;
import dev.comporta.proxy.admit.LoginTries.Verdict;
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
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.loop.Dedications;
import dev.comporta.proxy.loop.LoginCheck;
import dev.comporta.proxy.loop.ServerPool;
import dev.comporta.proxy.origin.AddressRules;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets clients into a bucket, or not. The server judges credentials; what it has accepted lately is believed, so that ten
 * thousand clients that log in at once cost it one login. Confined to the bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of delays: there is nobody to tell
public final class Admission {
    private static final int LOGIN_FAILED = 18456;
    private static final int LOGIN_FAILED_SEVERITY = 14;
    /** Going through all logins costs some milliseconds where they are most. */
    private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** Where the server is not shown passwords of clients. */
    private static final EntryRules NO_TRIES = new EntryRules(AddressRules.EVERYBODY, 0, Duration.ZERO);

    private final BucketLoop bucketLoop;
    private final SocketLimits limits;
    private BucketSpec spec;
    private Accounts accounts;
    private final SecretTags tags = new SecretTags();
    private final LoginDelays delays = new LoginDelays();
    private final LoginTries tries = new LoginTries();
    private final RefusedConnections refused;
    private final Map<PoolKey, ServerPool> pools = new HashMap<>();
    private long forgetAt;

    /** Any thread. */
    public Admission(BucketLoop bucketLoop, SocketLimits limits, RefusedConnections refused) {
        this.refused = refused;
        this.bucketLoop = bucketLoop;
        this.limits = limits;
        spec = bucketLoop.spec();
        accounts = new Accounts(spec, limits);
        bucketLoop.loop().execute(() -> bucketLoop.sweepAlso(this::forgetUnused));
    }

    public BucketLoop bucketLoop() {
        return bucketLoop;
    }

    /** Opens the first connections, if it is known whose. Is done when they are there, or not to be had in time. Any thread. */
    public Future<Void> warmUp() {
        bucketLoop.loop().execute(() -> bucketLoop.warmUp(expected()));
        return bucketLoop.warmedUp();
    }

    /** To be called from other threads than the loop's own. */
    public Future<BucketLoop.Glance> glance() {
        return bucketLoop.loop().submit(() -> bucketLoop.glance(pools.size()));
    }

    /** Everything in the bucket, one by one. Any thread. */
    public Future<BucketDetail> detail() {
        return bucketLoop.detail();
    }

    /** By the bucket's present settings: clients that are in stay, whatever changed. */
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
     * A client that was routed here, its channel registered with the bucket's loop. Who is known to be good comes in at once;
     * any other waits first, where its user or its address has failed lately.
     */
    public void admit(ClientHello client) {
        if (!bucketLoop.spec().entry().addresses().admit(ClientAddress.ipOf(client.channel()))) {
            refused.count(Reason.DENIED_BY_BUCKET);
            bucketLoop.refusal().refuse(client, ProxyError.NO_ROUTE, Advice.ofAddress(bucketLoop.spec()));
            return;
        }
        Login7 login = client.login();
        Account account = accounts().of(login);
        ServerPool known = account == null || Dedications.isNeeded(client) ? null : pools.get(keyOf(account));
        long now = bucketLoop.now();
        if (known != null && known.isTrusted(now, ttlNanos())) {
            enter(client, known, RelayCounters.Login.KNOWN);
            return;
        }
        long delay = delays.of(login.userName(), addressOf(client), now);
        if (delay == 0) {
            judge(client);
        } else if (delays.begin()) {
            bucketLoop.loop().schedule(() -> delayed(client), delay, TimeUnit.NANOSECONDS);
        } else {
            bucketLoop.refusal().refuse(client, ProxyError.QUEUE_FULL, Advice.ofManyLogins(bucketLoop.spec()));
        }
    }

    private void delayed(ClientHello client) {
        delays.end();
        if (client.channel().isActive()) {
            judge(client);
        }
    }

    private static Object addressOf(ClientHello client) {
        return ClientAddress.networkOf(ClientAddress.ipOf(client.channel()));
    }

    private void judge(ClientHello client) {
        Login7 login = client.login();
        Account account = accounts().of(login);
        if (account == null) {
            reject(client, "Login failed for user '%s'.".formatted(login.userName()));
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
            Try tried = tryOrReject(client, key.secretTag(), pool != null && pool.accepted() != null);
            if (tried != null) {
                check(poolFor(account), client, tried);
            }
        }
    }

    private void reject(ClientHello client, String text) {
        delays.failed(client.login().userName(), addressOf(client), bucketLoop.now());
        bucketLoop.refusal().error(client, LOGIN_FAILED, LOGIN_FAILED_SEVERITY, text);
    }

    private EntryRules rules() {
        BucketSpec now = bucketLoop.spec();
        return now.authentication() instanceof Authentication.Passthrough ? now.entry() : NO_TRIES;
    }

    /**
     * Whether the server is to judge the client's password, which costs one of the tries that its login has.
     *
     * @param accepted whether the server has ever accepted it
     * @return null if not: then the client has its answer
     */
    private @Nullable Try tryOrReject(ClientHello client, String tag, boolean accepted) {
        String user = client.login().userName();
        return switch (tries.of(user, tag, accepted, rules(), bucketLoop.now())) {
            case Try tried -> tried;
            case Verdict.KnownWrong _ -> {
                reject(client, "Login failed for user '%s'.".formatted(user));
                yield null;
            }
            case Verdict.TooMany(long waitNanos) -> {
                refused.count(Reason.TOO_MANY_FAILED_LOGINS);
                reject(client, Advice.ofManyFailedLogins(bucketLoop.spec(), user, waitNanos));
                yield null;
            }
        };
    }

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
            tried = tryOrReject(client, tags.of(login.password()), false);
            if (tried == null) {
                return;
            }
        }
        bucketLoop
                .dedications()
                .admit(
                        client,
                        asked,
                        account.countedAs(),
                        new DedicatedTry(tried, login.userName(), addressOf(client)));
    }

    private final class DedicatedTry implements Dedications.Judged {
        private final @Nullable Try tried;
        private final String user;
        private final Object address;

        /** @param tried null for a login whose name only the server can read */
        DedicatedTry(@Nullable Try tried, String user, Object address) {
            this.tried = tried;
            this.user = user;
            this.address = address;
        }

        @Override
        public void accepted() {
            if (tried != null) {
                tries.accepted(tried);
            }
        }

        @Override
        public void rejected() {
            if (tried == null) {
                delays.failedFrom(address, bucketLoop.now());
            } else {
                delays.failed(user, address, bucketLoop.now());
                tries.rejected(tried, rules(), bucketLoop.now());
            }
        }

        @Override
        public void undecided() {
            if (tried != null) {
                tries.undecided(tried);
            }
        }
    }

    /** The pool of the clients that are expected, before one has come; null when nothing is known of them. */
    private @Nullable ServerPool expected() {
        Account account = accounts().expected();
        return account == null ? null : poolFor(account);
    }

    /** So that logins which came once, of which there may be hundreds of thousands, don't pile up. */
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
        Login7 login = accounts().shared(account); // a service account has no password here, so none splits its pool
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
        // A pool that has connections would answer with one of those, and they prove nothing of today's password.
        ServerPool through = pool.accepted() == null ? pool : passing(pool);
        new LoginCheck(pool, through, bucketLoop.runner(), new SharedTry(tried)).begin();
    }

    private ServerPool passing(ServerPool like) {
        ServerPool made =
                new ServerPool(bucketLoop.runner(), like.login(), like.pool().login(), like.isService());
        made.pool().keepNoStock();
        return made;
    }

    private final class SharedTry implements LoginCheck.Outcome {
        private final Try tried;

        SharedTry(Try tried) {
            this.tried = tried;
        }

        @Override
        public void accepted(LoginCheck check) {
            tries.accepted(tried);
            Admission.this.accepted(check);
        }

        @Override
        public void refused(LoginCheck check, Refusal why) {
            LoginResponse rejected = check.through().rejected();
            if (why == Refusal.LOGIN_REJECTED && rejected != null && rejected.isOfCredentials()) {
                tries.rejected(tried, rules(), bucketLoop.now());
            } else {
                tries.undecided(tried);
            }
            Admission.this.refused(check, why);
        }
    }

    private void accepted(LoginCheck check) {
        ServerPool pool = check.about();
        LoginResponse response = Objects.requireNonNull(check.through().accepted());
        pool.accepted(response, bucketLoop.now());
        retireHelper(check);
        for (ClientHello client : pool.takeUndecided()) {
            delays.accepted(client.login().userName());
            enter(client, pool, RelayCounters.Login.CHECKED);
        }
    }

    private void refused(LoginCheck check, Refusal why) {
        ServerPool pool = check.about();
        LoginResponse rejected = check.through().rejected();
        String advice = advice(check, why);
        boolean failed = why == Refusal.LOGIN_REJECTED || why == Refusal.LOGIN_FAILED;
        retireHelper(check);
        for (ClientHello client : pool.takeUndecided()) {
            if (failed) {
                delays.failed(client.login().userName(), addressOf(client), bucketLoop.now());
            }
            if (why == Refusal.LOGIN_REJECTED && rejected != null) {
                bucketLoop.refusal().reject(client, rejected);
            } else {
                bucketLoop.refusal().refuse(client, ProxyError.of(why), advice);
            }
        }
        if (pool.accepted() == null) {
            // Nobody has ever got in with these: what was guessed must not pile up.
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

package dev.comporta.proxy.loop;

import dev.comporta.pool.Pool;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.dedicated.DedicatedBroker;
import dev.comporta.proxy.dedicated.DedicatedClient;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.line.PausedPeers;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ClientLogin;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of a bucket with dedicated server connections. Each has a pool of one connection, which is opened through the
 * queue and under the limit like any other, and ends with its client. Confined to the bucket's loop.
 */
public final class Dedications implements DedicatedBroker {
    private static final Logger log = LoggerFactory.getLogger(Dedications.class);

    private final BucketLoop bucketLoop;
    /** The clients, each with the listener for the result of its login. */
    private final Map<DedicatedClient, Judged> clients = new HashMap<>();
    /** Logins that take several messages, and so have a server connection before the server has accepted them. */
    private final UnfinishedLogins<DedicatedClient> unfinished;

    /** A login by password that can't be shared: one that changes the password, or has MARS. */
    private record PasswordCheck(Dedications dedications, DedicatedClient client) implements CheckTurns.Check {
        @Override
        public void begin() {
            dedications.ask(client);
        }

        @Override
        public void refused(Refusal why) {
            dedications.refused(client, why);
        }
    }

    /** Receives the server's verdict on a login, at most once. */
    public interface Judged {
        /** For logins that are not counted. */
        Judged IGNORED = new Judged() {
            @Override
            public void accepted() {}

            @Override
            public void rejected() {}

            @Override
            public void undecided() {}
        };

        void accepted();

        void rejected();

        /** The server was not asked, or has not answered. */
        void undecided();
    }

    /** Read when clients send PRELOGIN, on any loop. */
    private volatile boolean marsRefused;

    Dedications(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
        unfinished = new UnfinishedLogins<>(() -> bucketLoop.runner().loginShare(), new Turns());
    }

    private final class Turns implements UnfinishedLogins.Turns<DedicatedClient> {
        @Override
        public void begin(DedicatedClient client) {
            ask(client);
        }

        @Override
        public void timedOut(DedicatedClient client) {
            refused(client, Refusal.QUEUE_TIMEOUT);
        }

        @Override
        public void crowdedOut(DedicatedClient client) {
            tooMany(client);
        }

        @Override
        public long silence(DedicatedClient client, long now) {
            return client.silenceInLogin(now);
        }

        @Override
        public void stalled(DedicatedClient client) {
            client.loginStalled();
        }
    }

    /** Whether MARS may be granted to a client. Any thread. */
    boolean grantsMars() {
        return bucketLoop.spec().poolMode() == BucketSpec.PoolMode.SESSION && !marsRefused;
    }

    /** Whether the client's login or protocol can't be shared with other clients. */
    public static boolean isNeeded(ClientHello client) {
        Login7 login = client.login();
        return client.mars() || login.isIntegrated() || (login.optionFlags3() & Login7.FLAG3_CHANGE_PASSWORD) != 0;
    }

    /**
     * @param login the login that opens the server connection: the client's own, or the service account's
     * @param countedAs the login against whose limit it counts
     */
    public void admit(ClientHello client, Login7 login, String countedAs, Judged judged) {
        Dedication dedication = new Dedication(client, login, countedAs);
        if (dedication.isEntra() && !client.encrypted()) {
            bucketLoop
                    .refusal()
                    .refuse(
                            client,
                            ProxyError.INTERNAL,
                            "an Entra login sends a token, in plain text here. Use encrypt=true.");
            judged.undecided();
            return;
        }
        String ending = bucketLoop.endingAdvice();
        if (ending != null) {
            bucketLoop.refusal().refuse(client, ProxyError.SERVER_UNAVAILABLE, ending);
            judged.undecided();
            return;
        }
        Pool pool = bucketLoop.runner().pool(dedication, dedication.loginName());
        pool.keepNoStock();
        ClientIdentity identity = bucketLoop.identities().take(ClientIdentity.of(client.login(), client.encrypted()));
        DedicatedClient dedicated = new DedicatedClient(bucketLoop.nextClient(), identity, this, client, login, pool);
        clients.put(dedicated, judged);
        client.channel().pipeline().replace(ClientLogin.class, null, dedicated);
        if (!client.login().isIntegrated()) {
            bucketLoop.checks().take(new PasswordCheck(this, dedicated), networkOf(client), bucketLoop.now());
        } else if (!unfinished.take(dedicated, networkOf(client), bucketLoop.now())) {
            tooMany(dedicated);
        }
    }

    private void tooMany(DedicatedClient client) {
        retire(client.pool());
        client.refused(ProxyError.QUEUE_FULL, Advice.ofManyLogins(bucketLoop.spec()));
    }

    private static InetAddress networkOf(ClientHello client) {
        return ClientAddress.networkOf(ClientAddress.ipOf(client.channel()));
    }

    @Override
    public Waiter waiter(DedicatedClient client) {
        return new Waiter(new DedicatedRequester(this, client));
    }

    void ask(DedicatedClient client) {
        bucketLoop.runner().requestLogin(client.waiter(), client.pool(), null);
    }

    /** The pool core has given the client its connection. */
    void attached(DedicatedClient client, DedicatedServer server) {
        bucketLoop.runner().pin(server.connection(), PinReason.SESSION_MODE);
        // No further connection is opened for this pool, and the present one ends with its client.
        retire(client.pool());
        String objection = objection(client, server.greeted());
        if (!client.isWaiting()) {
            done(server);
        } else if (objection != null) {
            done(server);
            client.refused(ProxyError.SERVER_UNAVAILABLE, objection);
        } else {
            bucketLoop.counters().logins.add(RelayCounters.Login.DEDICATED, 1);
            client.attached(server);
        }
    }

    /** Why the client can't log in with what the server negotiated; null if it can. */
    private @Nullable String objection(DedicatedClient client, Greeted server) {
        if (client.hello().mars() && !server.answer().mars()) {
            marsRefused = true;
            log.atWarn()
                    .addKeyValue(ClientLines.BUCKET, bucketLoop.spec().id())
                    .log(
                            "bucket {}: the server grants no MARS; clients are not granted it from now on",
                            bucketLoop.spec().id());
            return "the server of bucket %s can't have several requests at the same time (MARS). Connect again."
                    .formatted(bucketLoop.spec().id());
        }
        if (client.login().feature(FeatureExtension.FEDAUTH) != null && !server.isEncrypted()) {
            return "an Entra login sends a token, and the connection to the server of bucket %s is in plain text. Set its encrypt to on."
                    .formatted(bucketLoop.spec().id());
        }
        return null;
    }

    /** The server has judged the login, or it has ended in another way. */
    private void loginEnded(DedicatedClient client) {
        unfinished.end(client);
        bucketLoop.checks().end(new PasswordCheck(this, client));
    }

    /** The client is refused a connection, by the pool core or because too many logins wait. */
    void refused(DedicatedClient client, Refusal why) {
        loginEnded(client);
        retire(client.pool());
        if (client.isWaiting()) {
            client.refused(ProxyError.of(why), bucketLoop.advice(why));
        }
    }

    void check(ClientLimits limits, long now) {
        // A copy: closing a client removes it from the map.
        all().forEach(client -> client.check(limits, now));
        unfinished.check(bucketLoop.spec().settings().queue().timeout().toNanos(), now);
    }

    void lookAt(PausedPeers paused, long now) {
        clients.keySet().forEach(client -> client.lookAt(paused, now));
    }

    void leave(String why) {
        for (DedicatedClient client : all()) {
            if (client.isWaiting()) {
                sendAway(client, ProxyError.SERVER_UNAVAILABLE, why);
            } else {
                client.leave(why);
            }
        }
    }

    /** Refuses a client that still waits for its server connection, as the response to its login. */
    private void sendAway(DedicatedClient client, ProxyError error, String why) {
        gaveUp(client);
        client.refused(error, why + BucketLoop.CONNECT_AGAIN);
    }

    /** @return whether there is such a client */
    boolean kill(long id, String why) {
        for (DedicatedClient client : clients.keySet()) {
            if (client.id() == id) {
                if (client.isWaiting()) {
                    sendAway(client, ProxyError.KILLED, why);
                } else {
                    client.cutOff(why);
                }
                return true; // end the iteration: closing a client removes it from the map
            }
        }
        return false;
    }

    void listTo(LongConsumer ids) {
        clients.keySet().forEach(client -> ids.accept(client.id()));
    }

    void cutOff(String why) {
        all().forEach(client -> client.cutOff(why));
    }

    /** The present clients; a copy. */
    List<DedicatedClient> all() {
        return List.copyOf(clients.keySet());
    }

    int size() {
        return clients.size();
    }

    @Override
    public void gaveUp(DedicatedClient client) {
        loginEnded(client);
        bucketLoop.runner().cancel(client.waiter());
        retire(client.pool());
    }

    @Override
    public void judged(DedicatedClient client, boolean accepted) {
        loginEnded(client);
        Judged judged = clients.replace(client, Judged.IGNORED);
        if (judged == null) {
            return;
        }
        if (accepted) {
            judged.accepted();
        } else {
            judged.rejected();
        }
    }

    private void retire(Pool pool) {
        bucketLoop.runner().retire(pool);
    }

    @Override
    public void done(DedicatedServer server) {
        bucketLoop.runner().unpin(server.connection());
        bucketLoop.runner().release(server.connection(), null, true);
    }

    @Override
    public void serverBroken(DedicatedServer server) {
        bucketLoop.runner().broken(server.connection());
    }

    @Override
    public void serverClosed(DedicatedServer server) {
        bucketLoop.runner().closed(server.connection());
    }

    @Override
    public void left(DedicatedClient client) {
        Judged judged = clients.remove(client);
        if (judged == null) {
            return;
        }
        loginEnded(client);
        judged.undecided();
        bucketLoop.identities().giveBack(client.identity());
        bucketLoop.runner().forget(client.waiter());
        bucketLoop.clientLeft();
    }

    @Override
    public long now() {
        return bucketLoop.now();
    }

    @Override
    public long loginNanos() {
        return bucketLoop.spec().settings().connectionTimeout().toNanos();
    }

    @Override
    public String lostAdvice() {
        return "the server of bucket %s closed the connection during the login. Try again."
                .formatted(bucketLoop.spec().id());
    }

    @Override
    public void refuse(ClientHello client, ProxyError error, String advice) {
        bucketLoop.refusal().refuse(client, error, advice);
    }
}

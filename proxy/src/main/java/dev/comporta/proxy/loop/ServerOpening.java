package dev.comporta.proxy.loop;

import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.secret.CurrentSecret;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.Readiness;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.login.ServerDial.Server;
import dev.comporta.proxy.login.ServerGreeting;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerGreeting.Wishes;
import dev.comporta.proxy.login.ServerLogin;
import dev.comporta.proxy.loop.BucketSpec.Authentication;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.watch.Reason;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketDecoder;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens one server connection: looks up the server's addresses, dials and greets it; logs in if clients will share it, and
 * becomes a {@link PooledServer}. If a server or address fails, the next is tried, until none is left. Reports its outcome:
 * possibly {@code greets} first, then exactly one of the others.
 */
final class ServerOpening implements ServerLink {
    private final ServerConnection connection;
    private final BucketLoop bucketLoop;
    private final Dedications dedications;
    private final ServerReports outcome;
    private final EventLoop loop;
    private final Transport transport;
    private final SocketLimits limits;
    private final ServerDial dial;
    private final ServerAddresses preference;

    /** Servers not tried yet. */
    private final Deque<Server> servers;
    /** Addresses of the present server not tried yet. */
    private final Deque<InetAddress> addresses = new ArrayDeque<>();

    private final StringJoiner complaints = new StringJoiner("; ");
    /** Null while addresses are looked up. */
    private @Nullable DialAttempt attempt;
    /** The response of the first server that rejected the login. */
    private @Nullable LoginResponse rejection;

    private @Nullable ServerPool unanswered;
    /** The source of the password that it logs in with; null if that is fixed, or the client's. */
    private @Nullable CurrentSecret<Secret> supplied;

    private @Nullable Secret secret;
    /** The password was rejected, and another requested, which is done once. */
    private boolean renewed;

    private boolean greets;
    /** The outcome was reported, and the rest is being closed. */
    private boolean told;

    private boolean closed;

    ServerOpening(
            ServerConnection connection,
            BucketLoop bucketLoop,
            Transport transport,
            SocketLimits limits,
            ServerDial dial) {
        this.connection = connection;
        this.bucketLoop = bucketLoop;
        this.dedications = bucketLoop.dedications();
        this.outcome = bucketLoop.reports();
        this.loop = bucketLoop.loop();
        this.preference = bucketLoop.addresses();
        this.transport = transport;
        this.limits = limits;
        this.dial = dial;
        servers = new ArrayDeque<>(preference.inOrder());
    }

    /** Requests the service account's password first, if it logs in with that. */
    void begin() {
        if (!owner().asksForPassword()) {
            dial();
            return;
        }
        switch (bucketLoop.spec().authentication()) {
            case Authentication.Mapped mapped -> {
                CurrentSecret<Secret> source = mapped.supplied();
                supplied = source;
                if (source == null) {
                    secret = mapped.account().password();
                    dial();
                } else {
                    whenDone(source.get(), this::hasSecret);
                }
            }
            case Authentication.Passthrough _ ->
                outcome.noSecret(connection, new IllegalStateException("the bucket has no service account any more"));
        }
    }

    private <T> void whenDone(CompletableFuture<T> answer, Consumer<CompletableFuture<T>> then) {
        if (answer.isDone()) {
            then.accept(answer);
        } else {
            var _ = answer.whenComplete((_, _) -> loop.execute(() -> then.accept(answer)));
        }
    }

    private void hasSecret(CompletableFuture<Secret> answer) {
        if (closed) {
            return; // close() has reported it
        }
        if (answer.isCompletedExceptionally()) {
            outcome.noSecret(connection, answer.exceptionNow());
        } else {
            secret = answer.join();
            dial();
        }
    }

    private void dial() {
        Server next = servers.poll();
        if (next == null) {
            nothingLeft();
            return;
        }
        CompletableFuture<List<InetAddress>> lookup = dial.names().lookUp(next.host());
        whenDone(lookup, found -> found(next, found));
    }

    private void found(Server server, CompletableFuture<List<InetAddress>> lookup) {
        if (closed) {
            return;
        }
        try {
            addresses.addAll(preference.inOrder(lookup.join()));
        } catch (CompletionException failed) {
            complain(server, "its name has no address: " + reason(failed));
        }
        dialNext(server);
    }

    private static String reason(CompletionException failed) {
        return Reason.of(Objects.requireNonNullElse(failed.getCause(), failed));
    }

    private void dialNext(Server server) {
        InetAddress next = addresses.poll();
        if (next == null) {
            attempt = null;
            dial();
            return;
        }
        attempt = new DialAttempt(this, server, next);
        attempt.begin(loop, transport, limits, dial, servers.isEmpty() && addresses.isEmpty());
    }

    private void complain(Server server, String why) {
        complaints.add(dial.servers().size() == 1 ? why : server + ": " + why);
    }

    /** Reports the failure of the servers that were tried; a server's own error message says most. */
    private void nothingLeft() {
        told = true;
        DialAttempt last = attempt;
        boolean stillOpen = last != null && last.isStillOpen();
        if (stillOpen) {
            Objects.requireNonNull(last).whenClosed(() -> outcome.closed(connection));
        }
        if (unanswered != null && rejection != null) {
            outcome.rejected(unanswered, connection, rejection, stillOpen);
        } else if (unanswered != null) {
            outcome.loginFailed(unanswered, connection, complaints.toString(), stillOpen);
        } else {
            outcome.failed(connection, complaints.toString(), stillOpen);
        }
    }

    private boolean isLast() {
        return closed || (servers.isEmpty() && addresses.isEmpty());
    }

    private PoolOwner owner() {
        return PoolOwner.of(connection.pool());
    }

    Wishes wishes() {
        return owner().wishes();
    }

    /** The connection is not needed, or has failed. An outcome not reported yet follows when the connection has ended. */
    @Override
    public void close() {
        closed = true;
        if (attempt == null) {
            outcome.failed(connection, "gave up before the host name lookup or password_command finished", false);
            return;
        }
        if (!told && attempt.isStillOpen()) { // one that has answered, even by a rejection, is not silent
            preference.isSilent(attempt.server());
        }
        attempt.close();
    }

    @Override
    public void attach(Requester to) {
        throw notOpen();
    }

    @Override
    public void reset() {
        throw notOpen();
    }

    @Override
    public void validate(HealthSettings.Check how) {
        throw notOpen();
    }

    @Override
    public @Nullable ServerLine line() {
        return null;
    }

    private IllegalStateException notOpen() {
        return new IllegalStateException(connection + " is not open yet");
    }

    // Results of the present attempt.

    void shookHands(boolean succeeded) {
        outcome.shookHands(succeeded);
    }

    void greeted(Greeted server) {
        owner().greeted(this, server);
    }

    /** The connection will be shared: the proxy logs in. */
    void logIn(Greeted server, ServerPool pool) {
        if (!greets) {
            greets = true;
            outcome.greets(connection);
        }
        Login7 login = pool.login();
        tried().logIn(
                        server,
                        pool,
                        secret == null
                                ? login
                                : login.toBuilder().password(secret).build());
    }

    /** The connection is for one client, which logs in itself. */
    void handOver(Greeted server) {
        DedicatedServer dedicated = new DedicatedServer(dedications, connection, server);
        tried().becomes(ServerGreeting.class, dedicated);
        preference.works(tried().server(), tried().address());
        outcome.greeted(dedicated);
    }

    void loggedIn(LoginResponse response) {
        DialAttempt opened = tried();
        PooledServer session = new PooledServer(outcome, connection, response);
        opened.pipeline().get(PacketDecoder.class).maxLength(response.packetSize());
        opened.becomes(ServerLogin.class, session);
        preference.works(opened.server(), opened.address());
        if (supplied != null && secret != null) {
            supplied.accepted(secret);
        }
        outcome.opened(Objects.requireNonNull(opened.loggingIn()), session);
    }

    private DialAttempt tried() {
        return Objects.requireNonNull(attempt);
    }

    /**
     * The server has rejected the login. If it is not the one to use now, another may accept it. If the password may have
     * been changed a moment ago, the new one is tried before the rejection counts.
     */
    void rejected(DialAttempt by, LoginResponse response) {
        if (supplied != null && !renewed && !closed && response.isOfCredentials()) {
            renewed = true;
            by.giveUp();
            whenEnded(by, () -> renewSecret(by, response));
        } else {
            counts(by, response);
        }
    }

    private void renewSecret(DialAttempt by, LoginResponse response) {
        Secret old = Objects.requireNonNull(secret);
        whenDone(Objects.requireNonNull(supplied).insteadOf(old), answer -> {
            if (closed || answer.isCompletedExceptionally() || answer.join().equals(old)) {
                counts(by, response);
            } else {
                secret = answer.join();
                addresses.addFirst(by.address());
                dialNext(by.server());
            }
        });
    }

    private void counts(DialAttempt by, LoginResponse response) {
        unanswered = by.loggingIn();
        if (rejection == null || response.readiness() == Readiness.FULL) {
            rejection = response;
        }
        complain(by.server(), response.error());
        if (response.readiness().mayBeElsewhere() && !isLast()) {
            goOnAfter(by);
        } else {
            nothingLeft();
        }
    }

    void failed(DialAttempt by, String why) {
        complain(by.server(), why);
        if (by.loggingIn() != null) {
            unanswered = by.loggingIn();
        }
        if (isLast()) {
            nothingLeft();
        } else {
            goOnAfter(by);
        }
    }

    /** The server may count a connection until it has ended it: the next is begun only then. */
    private void goOnAfter(DialAttempt by) {
        by.giveUp();
        whenEnded(by, () -> goOn(by.server()));
    }

    private static void whenEnded(DialAttempt by, Runnable then) {
        if (by.isStillOpen()) {
            by.whenClosed(then);
        } else {
            then.run();
        }
    }

    private void goOn(Server server) {
        if (closed) {
            nothingLeft();
        } else {
            dialNext(server);
        }
    }

    void endUnseen() {
        outcome.endUnseen(connection);
    }
}

package dev.comporta.proxy.loop;

import dev.comporta.pool.Pool;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerGreeting.Wishes;
import dev.comporta.tds.login.Login7;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the proxy keeps for a pool: the login that opens its connections, the server's response to it, and the clients that
 * wait for that response. It is the pool's key in the pool core, so every order finds its login, even for a pool that was
 * evicted here meanwhile. Confined to its bucket's loop.
 */
public final class ServerPool implements PoolOwner {
    /** So few undecided clients are not searched for those that have disconnected. */
    private static final int FEW = 16;

    private final BucketRunner bucket;
    private final Pool pool;
    private final Login7 login;
    private final boolean service;
    /** Clients that wait until the server has checked their credentials, and some that have disconnected meanwhile. */
    private final List<ClientHello> undecided = new ArrayList<>();

    /** With so many, those that have disconnected are removed. */
    private int mostUndecided = FEW;

    /** Number of admitted clients that have not disconnected. */
    private int clients;

    private @Nullable LoginResponse accepted;
    private @Nullable LoginResponse rejected;
    private String failure = "no answer within connection_timeout";
    private long acceptedAt;
    private boolean trusted;

    /** @param service whether the login is the bucket's service account, whose password is requested at each opening */
    public ServerPool(BucketRunner bucket, Login7 login, String countedAs, boolean service) {
        this.bucket = bucket;
        this.login = login;
        this.service = service;
        pool = bucket.pool(this, countedAs);
    }

    @Override
    public Wishes wishes() {
        return Wishes.NONE;
    }

    @Override
    public void greeted(ServerOpening opening, Greeted server) {
        opening.logIn(server, this);
    }

    public Pool pool() {
        return pool;
    }

    public Login7 login() {
        return login;
    }

    @Override
    public boolean asksForPassword() {
        return service;
    }

    @Override
    public String profile() {
        return PoolProfile.of(login);
    }

    /** The server's latest response that accepted the login. */
    public @Nullable LoginResponse accepted() {
        return accepted;
    }

    /** The server's latest response if it rejected the login; null if it accepted it. */
    public @Nullable LoginResponse rejected() {
        return rejected;
    }

    /** The server has accepted these credentials just now. */
    public void accepted(LoginResponse response, long now) {
        accepted = response;
        acceptedAt = now;
        trusted = true;
        rejected = null;
    }

    /** The server has rejected them just now: it must check the next login too. */
    public void rejected(LoginResponse response) {
        rejected = response;
        trusted = false;
    }

    /** The server sent no valid answer to the login, which says nothing about the credentials. */
    void failed(String why) {
        failure = why;
    }

    /** Why the server has not answered, if it has not. */
    public String failure() {
        return failure;
    }

    /** Whether the server has accepted the credentials recently enough to admit another client without asking it. */
    public boolean isTrusted(long now, long ttlNanos) {
        return trusted && now - acceptedAt < ttlNanos;
    }

    void clientEntered() {
        clients++;
    }

    void clientLeft() {
        clients--;
    }

    /** Whether it can be evicted: a client with the same login loses nothing if the server is asked again. */
    public boolean isForgettable(long now, long ttlNanos) {
        return clients == 0 && undecided.isEmpty() && !isTrusted(now, ttlNanos) && !bucket.knows(pool);
    }

    /** Whether clients wait for a check of these credentials that is under way. */
    public boolean isAwaited() {
        return !undecided.isEmpty();
    }

    /** Keeps a client until its credentials are checked. The memory is that of the connected ones, however many come and go. */
    public void await(ClientHello client) {
        if (undecided.size() >= mostUndecided) {
            undecided.removeIf(waiting -> !waiting.channel().isActive());
            mostUndecided = Math.max(FEW, 2 * undecided.size());
        }
        undecided.add(client);
    }

    public List<ClientHello> takeUndecided() {
        List<ClientHello> all = List.copyOf(undecided);
        undecided.clear();
        return all;
    }

    /** For people: only the user. */
    @Override
    public String toString() {
        return login.userName();
    }
}

package dev.comporta.proxy.loop;

import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.line.PausedPeers;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.Readiness;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.relay.ServerOwner;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.RelayCounters;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Reports to the pool core what happens to server connections. Confined to the bucket's loop. */
final class ServerReports implements ServerOwner {
    private static final Logger log = LoggerFactory.getLogger(ServerReports.class);

    private final BucketLoop bucketLoop;
    private final Set<PooledServer> open = new HashSet<>();
    /** Why requests wait though the server is up: the result of the latest opening, if that is the reason. */
    private String complaint = "";

    ServerReports(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
    }

    // Connections that are being opened.

    /** The server answers, and the login is sent now: a failure from here on may concern only that login. */
    void greets(ServerConnection connection) {
        runner().connected(connection);
    }

    void opened(ServerPool pool, PooledServer server) {
        server.connection().attach(new ServerLink.Shared(server, bucketLoop.upkeep()));
        pool.accepted(server.login(), bucketLoop.now());
        complaint = "";
        open.add(server);
        bucketLoop.upkeep().learn(server, () -> ready(server.connection(), server.session()));
    }

    /** The connection waits for the login of its client. */
    void greeted(DedicatedServer server) {
        server.connection().attach(new ServerLink.Dedicated(server, bucketLoop.upkeep()));
        ready(server.connection(), null);
    }

    private void ready(ServerConnection connection, @Nullable SessionKnowledge session) {
        runner().opened(connection, session);
    }

    /** @param stillOpen whether the server may still count it: then {@link #closed} follows */
    void rejected(ServerPool pool, ServerConnection connection, LoginResponse response, boolean stillOpen) {
        if (response.readiness() == Readiness.SERVER_NOT_READY) {
            failed(connection, response.error(), stillOpen);
            return;
        }
        if (response.readiness() == Readiness.FULL) {
            full(connection, response.error(), stillOpen);
            return;
        }
        pool.rejected(response);
        line().log("bucket {}: the server rejects {}: {}", id(), connection.pool(), response.error());
        boolean notReady = response.readiness() == Readiness.DATABASE_NOT_READY;
        complaint = notReady ? "which answered a login by: " + response.error() : "";
        openFailed(
                connection, notReady ? OpenFailure.NOT_READY : OpenFailure.LOGIN_REJECTED, response.error(), stillOpen);
        bucketLoop.firstConnections().rejected(pool.pool());
    }

    /** The login was sent, and the server sent no valid answer. */
    void loginFailed(ServerPool pool, ServerConnection connection, String why, boolean stillOpen) {
        pool.failed(why);
        line().log("bucket {}: the server does not answer the login of {}: {}", id(), connection.pool(), why);
        openFailed(connection, OpenFailure.LOGIN_FAILED, why, stillOpen);
        bucketLoop.firstConnections().unanswered(pool.pool());
    }

    /** The server could not be reached, or sent no valid answer before the login. */
    void failed(ServerConnection connection, String why, boolean stillOpen) {
        line().log("bucket {}: {} could not be reached: {}", id(), address(), why);
        openFailed(connection, OpenFailure.UNREACHABLE, why, stillOpen);
    }

    /** The server accepts no more connections for now. It has not checked the login: earlier results still hold. */
    private void full(ServerConnection connection, String why, boolean stillOpen) {
        line().log("bucket {}: {} has no room for another connection: {}", id(), address(), why);
        openFailed(connection, OpenFailure.FULL, why, stillOpen);
    }

    /** The server was not asked: there is no password to log in with. */
    void noSecret(ServerConnection connection, Throwable why) {
        noSecret(why);
        openFailed(connection, OpenFailure.NO_CREDENTIALS, String.valueOf(why.getMessage()), false);
        bucketLoop.firstConnections().withoutPassword(connection.pool());
    }

    /** Reports that there is no password. The cause is for the operator: clients are referred to the log. */
    void noSecret(Throwable why) {
        line().log("bucket {}: its service account has no password: {}", id(), why.getMessage());
        complaint = "whose service account has no password now: the instance's log says why.";
    }

    /** Why requests wait though the server is up; empty for no reason. */
    String complaint() {
        return complaint;
    }

    private void openFailed(ServerConnection connection, OpenFailure failure, String why, boolean stillOpen) {
        if (stillOpen) {
            runner().openBroken(connection, failure, why);
        } else {
            runner().openFailed(connection, failure, why);
        }
    }

    /** The opening failed, and the connection has ended now. */
    void closed(ServerConnection connection) {
        runner().closed(connection);
    }

    /** The server has not closed its side within the timeout, and is not waited for any longer. */
    void endUnseen(ServerConnection connection) {
        runner().closedUnseen(connection);
    }

    // Connections that were open.

    @Override
    public void serverBroken(PooledServer server) {
        runner().broken(server.connection());
    }

    @Override
    public void serverClosed(PooledServer server) {
        open.remove(server);
        runner().closed(server.connection());
    }

    /**
     * Closes connections whose server has owed an answer for too long. A copy, because closing removes a connection from the set.
     */
    void check(ClientLimits limits, long now) {
        List.copyOf(open).forEach(server -> server.check(limits, now));
    }

    void lookAt(PausedPeers paused, long now) {
        open.forEach(server -> server.lookAt(paused, now));
    }

    @Override
    public long now() {
        return bucketLoop.now();
    }

    @Override
    public RelayCounters counters() {
        return bucketLoop.counters();
    }

    /** Counts a TLS handshake with the server that has ended. */
    void shookHands(boolean succeeded) {
        if (succeeded) {
            counters().handshakes++;
        } else {
            counters().failedHandshakes++;
        }
    }

    @Override
    public void abandonedEnded(PooledServer server) {
        bucketLoop.upkeep().reset(server);
    }

    private LoggingEventBuilder line() {
        return ClientLines.ofServer(log, Level.WARN, id());
    }

    private String id() {
        return bucketLoop.spec().id();
    }

    private String address() {
        return bucketLoop.addresses().shown();
    }

    private BucketRunner runner() {
        return bucketLoop.runner();
    }
}

package dev.comporta.proxy.loop;

import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.known.ServerMake;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.RelayCounters.OwnMessage;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Resets, checks and probes server connections while no client has them. Confined to the bucket's loop. */
final class Upkeep {
    private static final String PING = "DECLARE @ping bit";

    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

    private final BucketLoop bucketLoop;
    /** The texts about habits that were logged, so that each is logged once. */
    private final Set<String> told = new HashSet<>();

    Upkeep(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
    }

    /**
     * Learns the habits of a new connection before it is ready, unless the configuration states them. Each one is tried anew:
     * what a server reports depends on the TDS version of the connection, and another server may have the name now.
     */
    void learn(PooledServer server, Runnable ready) {
        boolean canTell = server.login().format().version().tellsOfTransactions();
        switch (bucketLoop.spec().tracking()) {
            case ENVCHANGE -> {
                if (canTell) {
                    server.session().habits(ServerHabits.TELLS);
                    server.session().make(ServerMake.SQL_SERVER); // none else does
                    ready.run();
                    return;
                }
                tellOnce(
                        Level.WARN,
                        "transaction_tracking: envchange can't hold for clients of TDS {}, which has no such message: their"
                                + " connections are probed. Set it to auto or probe.",
                        server);
            }
            case PROBE, AUTO -> {}
        }
        server.questions().learn(failed -> {
            if (bucketLoop.spec().tracking() == TransactionTracking.PROBE
                    && server.session().habits() == ServerHabits.TELLS) {
                server.session().habits(ServerHabits.ASKED);
            }
            tellOnce(
                    Level.INFO,
                    server.session().habits() == ServerHabits.TELLS
                            ? "the server reports transactions by ENVCHANGE to TDS {} clients"
                            : "the server does not report all transactions to TDS {} clients: probing @@TRANCOUNT after requests",
                    server);
            if (failed) {
                server.questions().rollBack(again -> outsideOrClosed(server, !again, ready));
            } else {
                ready.run();
            }
        });
    }

    private void outsideOrClosed(PooledServer server, boolean outside, Runnable ready) {
        if (outside) {
            ready.run();
        } else {
            tellOnce(
                    Level.WARN,
                    "the server did not answer the @@TRANCOUNT probe for TDS {} clients: closing the server connection, they can't be served",
                    server);
            server.close();
            runner().broken(server.connection());
        }
    }

    private void tellOnce(Level level, String what, PooledServer server) {
        String version = server.login().format().version().number();
        if (told.add(what + version)) {
            log.atLevel(level)
                    .addKeyValue(ClientLines.BUCKET, bucketLoop.spec().id())
                    .log("bucket {}: " + what, bucketLoop.spec().id(), version);
        }
    }

    void reset(PooledServer server) {
        ServerConnection connection = server.connection();
        if (server.isAnswering()) {
            return; // abandonedEnded continues
        }
        if (server.isClosing() || server.session().isSpent()) {
            runner().notResettable(connection);
        } else if (server.isOutsideTransaction() && !server.session().mayHoldContext()) {
            bringBack(server);
        } else {
            // Before the reset, which on some servers leaves the transaction open.
            server.questions().rollBack(failed -> {
                if (failed) {
                    resetDone(connection, false);
                } else {
                    bringBack(server);
                }
            });
        }
    }

    /** Restores the state after the login. A reset restores a part of it; how much depends on the server. */
    private void bringBack(PooledServer server) {
        String sql = server.session().sqlAfterReset(SessionState.AS_LOGGED_IN);
        server.questions().ask(OwnMessage.RESET, sql, true, failed -> {
            server.session().broughtInto(SessionState.AS_LOGGED_IN);
            resetDone(server.connection(), !failed);
        });
    }

    void resetDone(ServerConnection connection, boolean clean) {
        runner().resetDone(connection, clean);
    }

    void validate(PooledServer server, HealthSettings.Check how) {
        String sql = how == HealthSettings.Check.PING ? PING : bucketLoop.spec().healthQuery();
        server.questions()
                .ask(
                        OwnMessage.HEALTH_CHECK,
                        sql,
                        how == HealthSettings.Check.FULL,
                        failed -> validated(server.connection(), !failed));
    }

    void validated(ServerConnection connection, boolean works) {
        runner().validated(connection, works);
    }

    private BucketRunner runner() {
        return bucketLoop.runner();
    }
}

package dev.comporta.proxy.attach;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.attach.BucketSpec.TransactionTracking;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.relay.ServerSession;
import dev.comporta.proxy.session.SessionState;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the proxy asks of its server connections while no client has them. Confined to the bucket's loop. */
final class Upkeep {
    private static final String PING = "DECLARE @ping bit";
    private static final String ROLLBACK = "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION";
    private static final String AFTER_RESET = SessionState.AS_LOGGED_IN.toSql();
    private static final String TRY_TRANSACTION = "BEGIN TRANSACTION; ROLLBACK TRANSACTION";

    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

    private final BucketLoop bucketLoop;
    private TransactionTracking tracking;

    Upkeep(BucketLoop bucketLoop, TransactionTracking tracking) {
        this.bucketLoop = bucketLoop;
        this.tracking = tracking;
    }

    /** Whether the server has to be asked what becomes of transactions. */
    boolean mustProbe() {
        return tracking != TransactionTracking.ENVCHANGE;
    }

    /** The first connection shows what kind of server it is; then, or at once where that is known, it is ready. */
    void learn(ServerSession server, Runnable ready) {
        if (tracking != TransactionTracking.AUTO) {
            ready.run();
            return;
        }
        server.ask(TRY_TRANSACTION, false, failed -> {
            tracking = server.toldOfTransaction() ? TransactionTracking.ENVCHANGE : TransactionTracking.PROBE;
            log.info(
                    "bucket {}: the server {} of transactions",
                    bucketLoop.spec().id(),
                    tracking == TransactionTracking.ENVCHANGE ? "tells" : "does not tell");
            ready.run();
        });
    }

    void reset(ServerConnection connection) {
        if (connection.attachment() instanceof DedicatedServer) {
            resetDone(connection, true); // its pool is gone, so it is closed next: there is nothing to clean
            return;
        }
        ServerSession server = session(connection);
        if (server.isAnswering()) {
            return; // abandonedEnded goes on with it
        }
        if (server.isClosing()) {
            resetDone(connection, false);
            return;
        }
        server.ask(ROLLBACK, false, failed -> {
            if (failed) {
                resetDone(connection, false);
            } else {
                server.ask(AFTER_RESET, true, again -> {
                    server.broughtInto(SessionState.AS_LOGGED_IN);
                    resetDone(connection, !again);
                });
            }
        });
    }

    private void resetDone(ServerConnection connection, boolean clean) {
        bucket().resetDone(connection, clean, bucketLoop.event());
        bucketLoop.arm();
    }

    void validate(ServerConnection connection, HealthSettings.Check how) {
        if (connection.attachment() instanceof DedicatedServer) {
            validated(connection, true); // and closed next
            return;
        }
        String sql = how == HealthSettings.Check.PING ? PING : bucketLoop.spec().healthQuery();
        session(connection).ask(sql, how == HealthSettings.Check.FULL, failed -> validated(connection, !failed));
    }

    private void validated(ServerConnection connection, boolean works) {
        bucket().validated(connection, works, bucketLoop.event());
        bucketLoop.arm();
    }

    private Bucket bucket() {
        return bucketLoop.bucket();
    }

    static ServerSession session(ServerConnection connection) {
        return (ServerSession) Objects.requireNonNull(connection.attachment());
    }
}

package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Closes clients or cancels their requests when a timeout has expired. Checked once a second. Confined to its bucket's loop. */
record ClientDeadlines(
        PooledClient client,
        ConnectionBroker broker,
        ClientMachine machine,
        ServerHold hold,
        RequestPath requests,
        ResponsePath responses) {
    void check(ClientLimits limits, long now) {
        long nanos = now - machine.since();
        switch (machine.check()) {
            case NONE -> {}
            case ARRIVAL -> closeIfStalled(limits, now);
            case SENDING -> {
                if (hold.server().isWritable()) {
                    closeIfStalled(limits, now);
                } else if (limits.isQueryOver(nanos)) {
                    client.close("query_timeout: the server does not take the rest of its request");
                }
            }
            case RESPONSE -> {
                if (limits.isQueryOver(nanos)) {
                    responses.timeOut();
                }
            }
            case REST -> checkRest(limits, nanos);
        }
        checkPin(limits, now);
    }

    private void checkRest(ClientLimits limits, long nanos) {
        if (!hold.isInTransaction()) {
            if (limits.isIdleFor(nanos)) {
                client.closeWhenTold("idle_timeout");
            }
        } else if (limits.isIdleInTransactionFor(nanos)) {
            broker.pinEnded(
                    client,
                    "%s closed: idle_in_transaction_timeout; its transaction was idle for %s and is rolled back."
                            .formatted(name(), seconds(nanos)));
            client.close("idle_in_transaction_timeout; its transaction is rolled back");
        }
    }

    private void closeIfStalled(ClientLimits limits, long now) {
        if (requests.packets().isStalled(limits, now)) {
            client.close("stalled_request_timeout: a part of its request did not come");
        }
    }

    /** Not in session mode, where every client keeps its connection. */
    private void checkPin(ClientLimits limits, long now) {
        PinReason reason = hold.pinReason();
        if (reason == null || broker.isSessionMode()) {
            return;
        }
        long kept = now - hold.keptSince();
        if (!limits.isPinOver(kept)) {
            return;
        }
        if (limits.closesPins()) {
            broker.pinEnded(
                    client,
                    "%s closed: max_pin_time; it has kept its server connection for %s because of: %s."
                            .formatted(name(), seconds(kept), shown(reason)));
            responses.kill(
                    "max_pin_time: it has kept its server connection for %s because of: %s"
                            .formatted(seconds(kept), shown(reason)),
                    "this session has kept its server connection for longer than max_pin_time, because of: %s; an open transaction is rolled back. Connect again."
                            .formatted(shown(reason)));
        } else if (!hold.isOverdue()) {
            hold.overdue();
            client.tellLogOfPin(shown(reason), kept);
            broker.pinOverdue(
                    client,
                    "%s has kept its server connection for %s because of: %s."
                            .formatted(name(), seconds(kept), shown(reason)));
        }
    }

    private String name() {
        return "Client %d (application %s)"
                .formatted(client.id(), client.identity().application());
    }

    private static String seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
    }

    /** The reason as {@code sys.pins} shows it. */
    static String shown(PinReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}

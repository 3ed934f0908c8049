package dev.comporta.lease;

import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.pool.lease.LeasedBucket;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Calls the store for one bucket's account, one call at a time, and counts the outcomes. Confined to the bucket's thread. */
final class LeaseCaller {
    /** The outcome of a call. */
    sealed interface Landing {
        record Answered(Operation operation, LeaseCall call, LeaseReply reply) implements Landing {}

        record Failed(Operation operation, String why) implements Landing {}
    }

    private final String bucketId;
    private final LeasedBucket bucket;
    private final LeaseStore store;
    private final LeaseOperations operations;
    private final SlotAccount account;
    private final IntSupplier idle;
    private final Consumer<Landing> landed;
    private final CallPacing pacing;

    /**
     * @param idle counts the bucket's idle connections
     * @param landed takes the outcome of each call, on the bucket's thread
     */
    LeaseCaller(
            FleetLeases fleet,
            String bucketId,
            LeasedBucket bucket,
            SlotAccount account,
            IntSupplier idle,
            Consumer<Landing> landed) {
        this.bucketId = bucketId;
        this.bucket = bucket;
        this.account = account;
        this.idle = idle;
        this.landed = landed;
        store = fleet.store();
        operations = fleet.operations();
        pacing = new CallPacing(fleet.intervalNanos(), fleet.random());
    }

    /** When {@link #pump} has something to do; never while a call is in flight. */
    long dueAt() {
        return account.inFlight == null ? pacing.nextCallAt(account) : CallPacing.NOT_DUE;
    }

    /**
     * Calls the store if a call is due and none is in flight. A call without news is sent together with those of the
     * other buckets.
     */
    void pump(long now) {
        if (store.isConnecting()) {
            pacing.holdOff(now);
        }
        if (account.inFlight != null) {
            if (account.news) {
                store.sendPosted(); // a call that had to wait for its heartbeat does not wait for the other buckets too
            }
        } else if (now >= pacing.nextCallAt(account)) {
            send(now);
        }
    }

    private void send(long now) {
        account.idle = idle.getAsInt();
        boolean urgent = account.news;
        LeaseCall call = account.call(now);
        Operation operation = operation(call);
        pacing.sent(call, now);
        CompletionStage<LeaseReply> answer = urgent ? store.call(bucketId, call) : store.post(bucketId, call);
        answer.whenComplete(
                (reply, failure) -> bucket.execute(() -> landed.accept(landing(operation, call, reply, failure))));
    }

    private Operation operation(LeaseCall call) {
        if (call.form() != LeaseCall.Form.SYNC) {
            return Operation.REGISTER;
        }
        if (call.asked() > call.seen() || call.atOnce() > 0) {
            return Operation.ACQUIRE;
        }
        LeaseCall last = pacing.lastCall();
        return last != null && call.returned() > last.returned() ? Operation.RELEASE : Operation.HEARTBEAT;
    }

    private Landing landing(
            Operation operation, LeaseCall call, @Nullable LeaseReply reply, @Nullable Throwable failure) {
        if (reply != null) {
            return new Landing.Answered(operation, call, reply);
        }
        return new Landing.Failed(operation, failure == null ? "no answer" : store.explain(failure));
    }

    /** Counts an outcome, and decides when to call next. */
    void note(Landing landing, long now) {
        switch (landing) {
            case Landing.Answered answered -> {
                boolean ok = answered.reply().status() == LeaseReply.Status.OK;
                operations.count(answered.operation(), ok ? Outcome.OK : Outcome.REFUSED);
                operations.took(now - answered.call().sentAt());
                pacing.answered(answered.reply(), now);
            }
            case Landing.Failed failed -> {
                operations.count(failed.operation(), Outcome.FAILED);
                pacing.failed(now);
            }
        }
    }

    /** The last call. Does nothing if this instance never registered. */
    void farewell(long now, Runnable done) {
        if (pacing.lastCall() == null) {
            done.run();
            return;
        }
        store.call(bucketId, account.farewell(now)).whenComplete((reply, _) -> {
            operations.count(Operation.LEAVE, reply == null ? Outcome.FAILED : Outcome.OK);
            done.run();
        });
    }
}

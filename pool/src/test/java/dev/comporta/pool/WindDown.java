package dev.comporta.pool;

import static dev.comporta.pool.Observer.check;

import dev.comporta.pool.stats.BucketSnapshot;
import java.util.ArrayList;

/** The end of every sequence: all goes well from here on, so all who wait are served; then the bucket is removed. */
final class WindDown {
    /** More rounds than any sequence needs; one that needs more is stuck. */
    private static final int ROUNDS = 400;

    private WindDown() {}

    static void run(World world) {
        world.store.available = Integer.MAX_VALUE;
        Observer seen = world.seen;
        seen.windDownAt = world.now();
        world.tell("-- all goes well from here");
        world.resume();
        world.checkInvariants();
        for (int i = 0; seen.waitingCount() > 0; i++) {
            check(i < ROUNDS, "%d wait and are never served", seen.waitingCount());
            answerAll(world);
        }
        world.tell("-- the bucket is removed");
        world.runner.remove();
        for (int i = 0; !world.bucket.isDrained(); i++) {
            check(i < ROUNDS, "the removed bucket does not drain");
            answerAll(world);
        }
        check(seen.drainedTold == 1, "told to be drained %d times", seen.drainedTold);
        check(seen.warming.isEmpty(), "never told how warm: %s", seen.warming);
        BucketSnapshot told = world.bucket.snapshot();
        check(
                told.traffic().attached() == seen.attached,
                "%d attached",
                told.traffic().attached());
        check(told.refusals() == seen.refused, "%d refused", told.refusals());
        check(
                told.traffic().attached() == told.traffic().released(),
                "%d released",
                told.traffic().released());
        check(
                told.traffic().opened() == told.traffic().closed(),
                "%d closed",
                told.traffic().closed());
        check(world.store.held == 0, "%d slots are lost", world.store.held);
        check(world.store.revoked == 0, "%d revoked slots were never told to be closed", world.store.revoked);
        check(world.store.outstanding() == 0, "%d asks are open", world.store.outstanding());
        check(seen.links.stream().allMatch(l -> l.stage == Link.Stage.GONE), "left open: %s", seen.links);
        check(world.bucket.ledger.connections() == 0, "connections are left");
        check(world.bucket.nextDeadline() > world.now(), "a drained bucket still has deadlines");
    }

    private static void answerAll(World world) {
        boolean idle = true;
        for (Link link : new ArrayList<>(world.seen.links)) {
            idle &= link.stage == Link.Stage.FREE || link.stage == Link.Stage.GONE;
            switch (link.stage) {
                case OPENING -> world.opened(link);
                case HELD -> world.release(link);
                case VALIDATING, RESETTING -> world.answerCheck(link, true);
                case CLOSING -> world.closed(link);
                case FREE, BROKEN, GONE -> {}
            }
            world.checkInvariants();
        }
        FakeStore store = world.store;
        if (store.outstanding() > 0) {
            idle = false;
            store.confirmWithdrawn();
            store.answer();
            store.grantFromLine(false);
            world.checkInvariants();
        }
        if (store.connectsAsked > 0) {
            idle = false;
            store.permit(store.connectsAsked);
            world.checkInvariants();
        }
        long next = world.bucket.nextDeadline();
        if (idle && next != Long.MAX_VALUE) {
            world.advanceTo(next);
            world.tick();
            world.checkInvariants();
        }
    }
}

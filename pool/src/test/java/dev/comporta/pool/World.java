package dev.comporta.pool;

import static dev.comporta.pool.Observer.check;

import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.PinReason;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One bucket with clients, a server and a lease store that all do what they are told, at any time, with any fault. */
final class World {
    private static final int CLIENTS = 9;
    private static final long MILLI = 1_000_000L;

    final FakeStore store = new FakeStore();
    final Observer seen = new Observer(store);
    final BucketRunner runner;
    /** To look at; events go through the runner. */
    final Bucket bucket;

    private final ManualThread thread = new ManualThread(1);
    final List<Pool> pools = new ArrayList<>();
    private final Invariants invariants;
    private final Object[] states = {"plain", "german", null};
    /** In some worlds the server is often full: several openings in a row find it so. */
    private final boolean serverIsFull;

    private Dice dice = new Dice(0);
    StringBuilder story;

    World(long settingsSeed) {
        Dice dice = new Dice(settingsSeed);
        BucketSettings settings = RandomSettings.from(dice);
        int reflexes = dice.below(3);
        store.answersInline = reflexes > 0;
        serverIsFull = dice.oneIn(4);
        store.metered = new Dice(~settingsSeed).oneIn(3);
        store.available = dice.oneIn(3) ? 1 + dice.below(3) : Integer.MAX_VALUE;
        runner = new BucketRunner(
                "b",
                settings,
                thread,
                thread::now,
                seen,
                (_, runs) -> {
                    store.bucket = runs;
                    return store;
                },
                new SplittableRandom(settingsSeed),
                SessionDistance.EQUAL_OR_NOT);
        bucket = runner.pool("p0", "l0").bucket;
        seen.bucket = bucket;
        seen.reflexes = new InlineAnswers(this, reflexes);
        seen.everFair = settings.logins().fair();
        seen.overflowBound = settings.exhaustion().overflowConnections();
        int poolCount = 1 + dice.below(3);
        for (int i = 0; i < poolCount; i++) {
            pools.add(runner.pool("p" + i, i == 2 ? "l0" : "l" + i));
        }
        for (int i = 0; i < CLIENTS; i++) {
            seen.clients.add(new Client(i));
        }
        invariants = new Invariants(seen, pools);
    }

    void run(long[] events) {
        for (long event : events) {
            dice = new Dice(event);
            seen.meddled = false;
            seen.overtakenBySettings = false;
            thread.pass(dice.oneIn(3) ? 0 : dice.below(3) * MILLI);
            act();
            checkInvariants();
        }
        WindDown.run(this);
    }

    void checkInvariants() {
        invariants.checkAll();
        check(
                runner.armedFor() <= bucket.nextDeadline(),
                "armed for %d, but due at %d",
                runner.armedFor(),
                bucket.nextDeadline());
        check(
                thread.nextTask() <= Math.max(now(), runner.armedFor()),
                "armed for %d without an alarm",
                runner.armedFor());
    }

    long now() {
        return thread.now();
    }

    Dice dice() {
        return dice;
    }

    void tell(String format, Object... args) {
        if (story != null) {
            story.append(String.format("%8.3f ms  ", now() / 1e6))
                    .append(String.format(format, args))
                    .append('\n');
        }
    }

    private void act() {
        switch (dice.below(43)) {
            case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 -> request();
            case 10, 11, 12, 13, 14, 15 -> release(anyLink(Link.Stage.HELD));
            case 16 -> cancelOrLeave();
            case 17, 18, 19, 20, 21 -> answerOpen(anyLink(Link.Stage.OPENING));
            case 22, 23, 24 -> closed(anyLink(Link.Stage.CLOSING));
            case 25 -> answerCheck(anyLink(Link.Stage.VALIDATING));
            case 26 -> answerCheck(anyLink(Link.Stage.RESETTING));
            case 27 -> lose();
            case 28, 29, 30 -> answerLeases();
            case 31 -> slotsLost(true);
            case 32, 33, 34 -> pass();
            case 35 -> pinOrUnpin(anyLink(Link.Stage.HELD));
            case 36 -> lateNews();
            case 37 -> reconfigure();
            case 38 -> upheaval();
            case 39 -> tickEarly();
            case 40, 41 -> pauseOrResume();
            default -> tickAtDeadline();
        }
    }

    /** What is no answer to the order under way: clients, the network and the operator don't wait for it. */
    void meddle() {
        seen.meddled = true;
        switch (dice.below(11)) {
            case 0, 1 -> request();
            case 2 -> cancelOrLeave();
            case 9 -> pauseOrResume();
            case 3, 4 -> release(anyLink(Link.Stage.HELD));
            case 5, 6 -> lose();
            case 7 ->
                slotsLost(!store.answersInline); // who grants from inside an order revokes nothing from inside one
            case 8 -> {
                seen.overtakenBySettings = true;
                store.lenient = true;
                reconfigure();
            }
            default -> upheaval();
        }
    }

    private Link anyLink(Link.Stage stage) {
        int n = 0;
        Link chosen = null;
        for (Link link : seen.links) {
            if (link.stage == stage && dice.below(++n) == 0) {
                chosen = link;
            }
        }
        return chosen;
    }

    private void request() {
        Client client = seen.clients.get(dice.below(CLIENTS));
        if (client.waiting || client.link != null) {
            return;
        }
        int i = dice.below(pools.size());
        request(client, pools.get(i));
    }

    void request(Client client, Pool pool) {
        client.pool = pool;
        client.waiting = true;
        client.wasEligible = false;
        client.passedOver = false; // what happened before it left the queue concerns it no more
        client.since = now();
        client.arrival = ++seen.arrivals;
        client.login = dice.oneIn(4);
        tell("%s asks%s", client, client.login ? " to be let in" : "");
        int i = pools.indexOf(pool);
        if (client.login) {
            runner.requestLogin(client.waiter, pool, states[dice.below(states.length)]);
        } else {
            runner.request(client.waiter, pool, states[dice.below(states.length)]);
        }
        if (pool.standing == Pool.Standing.DORMANT) {
            Pool renewed = runner.pool(pool.key(), pool.login()); // one that was forgotten is another now
            seen.renew(pool, renewed);
            if (i >= 0) {
                pools.set(i, renewed);
            }
        }
    }

    private void cancelOrLeave() {
        if (dice.oneIn(2)) {
            cancel();
        } else {
            leave();
        }
    }

    private void cancel() {
        for (Client client : seen.clients) {
            if (client.waiting && dice.oneIn(2)) {
                tell("%s leaves the queue", client);
                client.waiting = false;
                boolean left = runner.cancel(client.waiter);
                check(left || seen.meddled, "%s was not in the queue", client);
                if (!left) {
                    client.waiting = true; // its attach or refuse is on its way
                }
                if (left && dice.oneIn(2)) {
                    forget(client);
                }
                return;
            }
        }
    }

    /** A client that has nothing goes, and another takes its place. */
    private void leave() {
        Client client = seen.clients.get(dice.below(CLIENTS));
        if (!client.waiting && client.link == null) {
            forget(client);
        }
    }

    private void forget(Client client) {
        tell("%s is gone", client);
        seen.gone(client);
        runner.forget(client.waiter);
    }

    void release(Link link) {
        if (link == null) {
            return;
        }
        Client client = link.holder;
        link.stage = Link.Stage.FREE;
        link.holder = null;
        client.link = null;
        boolean pinned = link.pinned;
        link.pinned = false;
        if (pinned || dice.oneIn(6)) {
            link.dirty = true;
            link.session = null;
            tell("%s leaves %s dirty", client, link);
            runner.releaseDirty(link.connection);
        } else {
            boolean clean = dice.oneIn(2);
            tell("%s releases %s%s", client, link, clean ? "" : " unclean");
            link.dirty = bucket.settings().resetOnRelease();
            link.unclean = !clean;
            link.restsSince = now();
            link.session = states[dice.below(states.length)];
            runner.release(link.connection, link.session, clean);
        }
    }

    void answerOpen(Link link) {
        if (link == null) {
            return;
        }
        int fate = dice.below(10);
        if (fate == 0) {
            fail(link, OpenFailure.UNREACHABLE);
        } else if (serverIsFull && fate < 6) {
            fail(link, OpenFailure.FULL);
        } else if (fate == 1) {
            fail(link, OpenFailure.values()[dice.below(OpenFailure.values().length)]);
        } else if (fate == 2 && link.connection.state() == ConnectionState.CONNECTING) {
            tell("%s is connected", link);
            runner.connected(link.connection);
        } else {
            opened(link);
        }
    }

    private void fail(Link link, OpenFailure failure) {
        tell("%s can't be opened: %s", link, failure);
        if (dice.oneIn(2)) {
            link.stage = Link.Stage.BROKEN;
            runner.openBroken(link.connection, failure, "no");
        } else {
            link.stage = Link.Stage.GONE;
            runner.openFailed(link.connection, failure, "no");
        }
    }

    void opened(Link link) {
        tell("%s is open", link);
        link.stage = Link.Stage.FREE;
        link.openedAt = now();
        link.session = states[0];
        runner.opened(link.connection, states[0]);
    }

    void closed(Link link) {
        if (link != null) {
            tell("%s is closed (%s)", link, link.closeReason);
            link.stage = Link.Stage.GONE;
            if (dice.oneIn(5)) {
                runner.closedUnseen(link.connection);
            } else {
                runner.closed(link.connection);
            }
        }
    }

    void answerCheck(Link link) {
        if (link == null) {
            return;
        }
        boolean good = !dice.oneIn(5);
        answerCheck(link, good);
    }

    void answerCheck(Link link, boolean good) {
        tell("%s: check %s", link, good ? "passed" : "failed");
        boolean reset = link.stage == Link.Stage.RESETTING;
        link.stage = Link.Stage.FREE;
        if (reset) {
            link.dirty = !good;
            link.unclean &= !good;
            link.session = states[0];
            if (!good && dice.oneIn(2)) {
                runner.notResettable(link.connection);
            } else {
                runner.resetDone(link.connection, good);
            }
        } else {
            if (link.check == HealthSettings.Check.FULL) {
                link.session = states[0];
                link.unclean &= !good;
            }
            runner.validated(link.connection, good);
        }
    }

    /** The server or the network ends a connection, whatever it is doing. */
    private void lose() {
        if (seen.links.isEmpty()) {
            return;
        }
        Link link = seen.links.get(dice.below(seen.links.size()));
        if (link.stage == Link.Stage.GONE) {
            return;
        }
        tell("%s is lost, or breaks", link);
        if (link.holder != null) {
            link.holder.link = null;
            link.holder = null;
            link.pinned = false;
        }
        if (link.stage != Link.Stage.CLOSING && link.stage != Link.Stage.BROKEN && dice.oneIn(2)) {
            link.stage = Link.Stage.BROKEN;
            runner.broken(link.connection);
        } else {
            link.stage = Link.Stage.GONE;
            runner.closed(link.connection);
        }
    }

    private void answerLeases() {
        tell("the store answers");
        store.permit(store.connectsAsked - (dice.oneIn(2) ? 0 : dice.below(store.connectsAsked + 1)));
        switch (dice.below(4)) {
            case 0 -> store.grantFromLine(dice.oneIn(2));
            case 1 -> store.confirmWithdrawn();
            case 2 -> {
                if (dice.oneIn(4)) {
                    store.denyLine();
                }
            }
            default -> store.answer();
        }
    }

    private void slotsLost(boolean mayBeRevoked) {
        if (dice.oneIn(2) && mayBeRevoked && store.held > 0) {
            int n = 1 + dice.below(store.held);
            tell("%d slots are revoked", n);
            store.revoke(n);
        } else {
            int n = 1 + dice.below(2);
            tell("%d slots are demanded", n);
            runner.demanded(n);
        }
    }

    private void pass() {
        long[] steps = {5 * MILLI, 50 * MILLI, 400 * MILLI, 3000 * MILLI};
        thread.pass(steps[dice.below(steps.length)]);
        tick();
    }

    private void tickAtDeadline() {
        long next = bucket.nextDeadline();
        if (next != Long.MAX_VALUE) {
            advanceTo(next);
            tick();
        }
    }

    /** The thread runs what is due, late perhaps. What that sets off may make something else due; but not for ever. */
    void tick() {
        tell("tick");
        for (int i = 0; thread.runDue(); i++) {
            check(i < 6, "the next deadline is %d ns ago", now() - bucket.nextDeadline());
        }
    }

    /** No deadline is missing: whatever a tick before the next one would do, nobody would have woken for. */
    private void tickEarly() {
        long before = Math.min(bucket.nextDeadline() - 1, now() + 3000 * MILLI);
        if (before > now()) {
            advanceTo(now() + 1 + (dice.bits() >>> 1) % (before - now()));
            long orders = seen.trace;
            long calls = store.calls;
            tell("early tick");
            bucket.tick(now());
            check(
                    seen.trace == orders && store.calls == calls,
                    "something was done that no deadline told of: %s, %d calls of the store, %s",
                    seen.trace == orders ? "no order" : "an order",
                    store.calls - calls,
                    bucket.snapshot());
        }
    }

    void advanceTo(long time) {
        thread.pass(Math.max(0, time - now()));
    }

    private void pinOrUnpin(Link link) {
        if (link == null) {
            return;
        }
        if (link.pinned && dice.oneIn(2)) {
            link.pinned = false;
            runner.unpin(link.connection);
        } else {
            link.pinned = true;
            runner.pin(link.connection, PinReason.values()[dice.below(3)]);
        }
    }

    /** News about a connection that is being closed crosses the order to close it. */
    private void lateNews() {
        Link link = anyLink(Link.Stage.CLOSING);
        if (link == null) {
            return;
        }
        switch (dice.below(4)) {
            case 0 -> runner.opened(link.connection, null);
            case 1 -> runner.validated(link.connection, true);
            case 2 -> runner.release(link.connection, null, true);
            default -> runner.connected(link.connection);
        }
    }

    private void reconfigure() {
        BucketSettings settings = RandomSettings.from(dice);
        tell("reconfigured: %s", settings);
        seen.settingsChanged = true;
        seen.everFair |= settings.logins().fair();
        seen.overLimit = Integer.MAX_VALUE;
        seen.overflowBound = Math.max(seen.overflowBound, settings.exhaustion().overflowConnections());
        seen.rateChanged(bucket.settings().connectRate(), settings.connectRate(), now());
        runner.reconfigure(settings);
    }

    private void pauseOrResume() {
        if (seen.windDownAt != Long.MAX_VALUE) {
            resume(); // who pauses a bucket for good serves nobody
        } else if (!bucket.isPaused() || dice.oneIn(4)) {
            tell("paused");
            seen.quiescedTold = false;
            runner.pause();
        } else {
            resume();
        }
    }

    void resume() {
        tell("resumed");
        runner.resume();
    }

    private void upheaval() {
        switch (dice.below(4)) {
            case 0 -> {
                tell("reconnect");
                runner.reconnect();
            }
            case 1 -> {
                int i = dice.below(pools.size());
                Pool old = pools.get(i);
                tell("%s is retired", old);
                runner.retire(old);
                pools.set(i, runner.pool("p" + i + "'" + now(), old.login()));
            }
            case 2 -> {
                Pool pool = pools.get(dice.below(pools.size()));
                if (!seen.warming.add(pool.key()) && seen.meddled) {
                    return; // the answer to the one before may be on its way
                }
                tell("%s is warmed up", pool);
                runner.warmUp(pool, 1 + dice.below(3), now() + 100 * MILLI);
            }
            default -> {
                if (dice.oneIn(5)) {
                    tell("removed");
                    runner.remove();
                }
            }
        }
    }
}

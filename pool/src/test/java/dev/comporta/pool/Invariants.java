package dev.comporta.pool;

import static dev.comporta.pool.Observer.check;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.SlotHold;
import java.time.Duration;
import java.util.List;

/** What must hold after every event, from the observer's books. */
final class Invariants {
    /** The longest pause between two attempts while somebody waits. */
    private static final long LONGEST_WAIT_FOR_A_PROBE = Duration.ofSeconds(1).toNanos();

    private final Observer seen;
    private final FakeStore store;
    private final List<Pool> pools;
    /** After the last event. */
    private int openingBefore;

    Invariants(Observer seen, List<Pool> pools) {
        this.seen = seen;
        this.store = seen.store;
        this.pools = pools;
    }

    void checkAll() {
        checkStates();
        checkSlots();
        checkGoneForGood();
        checkCleanedSoon();
        checkLogins();
        checkQueue();
        checkTried();
        checkOneAtATime();
        checkFull();
        if (seen.bucket.isPaused()) {
            checkHeld();
        } else {
            for (Pool p : pools) {
                checkServed(p);
            }
            checkWorkConserved();
        }
        seen.everDown = seen.bucket.health() != HealthState.UP;
        seen.wasUp = !seen.everDown;
        seen.hadRoom = !seen.bucket.isFull();
    }

    /** In a paused bucket nobody is served: so nobody is passed over, and nothing is started or asked for. */
    private void checkHeld() {
        for (Client c : seen.clients) {
            c.wasEligible = false;
            c.passedOver = false;
        }
        store.answeredInside = 0;
        check(seen.quiescedTold || !seen.isQuiet(), "nobody was told that the paused bucket is at rest");
        int wanted = seen.bucket.ledger.leasing.size() + seen.bucket.ledger.rateLimited.size();
        check(wanted == 0 || seen.bucket.health() != HealthState.UP, "%d wanted in a paused bucket", wanted);
        // As the bucket counts: the store may have one in line that the bucket takes for an ask without an answer.
        int inLine = seen.bucket.slots.inLine();
        check(inLine == 0 || seen.bucket.health() != HealthState.UP, "in line for slots in a paused bucket");
    }

    /** The core and the carrier agree on every connection. */
    private void checkStates() {
        for (int i = seen.links.size() - 1; i >= 0; i--) {
            Link link = seen.links.get(i);
            ConnectionState state = link.connection.state();
            boolean agree = switch (link.stage) {
                case OPENING -> state == ConnectionState.CONNECTING || state == ConnectionState.LOGGING_IN;
                case FREE -> state == ConnectionState.READY;
                case HELD -> state == (link.pinned ? ConnectionState.PINNED : ConnectionState.ATTACHED);
                case VALIDATING -> state == ConnectionState.VALIDATING;
                case RESETTING -> state == ConnectionState.RESETTING;
                case BROKEN -> false; // the order to close it has not come
                case CLOSING -> state == ConnectionState.CLOSING;
                case GONE -> state == ConnectionState.CLOSED;
            };
            check(agree, "%s is %s", link, state);
            check((link.stage == Link.Stage.HELD) == (link.holder != null), "%s is held by %s", link, link.holder);
            if (link.stage == Link.Stage.GONE) {
                seen.links.remove(i);
            }
        }
        for (Client c : seen.clients) {
            Waiter.Status status = c.waiter.status();
            check(c.waiting == (status == Waiter.Status.WAITING), "%s is %s", c, status);
            check((c.link != null) == (status == Waiter.Status.ATTACHED), "%s is %s", c, status);
            check(c.link == null || c.link.holder == c, "%s has %s", c, c.link);
        }
    }

    private void checkSlots() {
        Bucket b = seen.bucket;
        int used = 0;
        int overflow = 0;
        int closingRevoked = 0;
        int closingLowered = 0;
        boolean free = false;
        for (Link link : seen.links) {
            if (link.connection.slot.hold() == SlotHold.OVERFLOW) {
                overflow++;
            } else {
                used++;
            }
            if (link.stage == Link.Stage.CLOSING) {
                closingRevoked += link.connection.slot.hold() == SlotHold.REVOKED ? 1 : 0;
                closingLowered += link.connection.slot.hold() == SlotHold.OWED ? 1 : 0;
            }
            free |= link.stage == Link.Stage.FREE;
        }
        for (ServerConnection c = b.ledger.rateLimited.first(); c != null; c = c.inStage.after()) {
            if (c.slot.hold() == SlotHold.OVERFLOW) {
                overflow++;
            } else {
                used++;
            }
        }
        check(used >= store.held, "%d slots, only %d connections: a slot without an owner", store.held, used);
        int excess = used - store.held;
        check(excess == store.revoked, "%d connections on %d slots, %d revoked", used, store.held, store.revoked);
        check(excess <= closingRevoked || !free, "idle connections are kept though slots were revoked");
        int limit = b.settings().maxConnections();
        int over = Math.max(0, used - excess - limit);
        check(over <= seen.overLimit, "%d slots, limit %d", used - excess, limit);
        seen.overLimit = over;
        check(over <= closingLowered || !free, "idle connections are kept beyond the limit");
        check(overflow <= seen.overflowBound, "%d overflow connections", overflow);
        seen.overflowBound = Math.max(overflow, b.settings().exhaustion().overflowConnections());
        check(b.slots.snapshot().owed() == 0 || !free, "idle connections are kept though the fleet demands a slot");
    }

    /** What nobody should get any more does not lie about. */
    private void checkGoneForGood() {
        Bucket b = seen.bucket;
        for (Link link : seen.links) {
            if (link.stage == Link.Stage.FREE) {
                check(!b.isRemoved(), "%s is kept in a bucket that was removed", link);
                check(link.connection.pool().standing == Pool.Standing.ACTIVE, "%s is kept in a retired pool", link);
                check(
                        link.connection.life.generation == b.conditions.generation(),
                        "%s is kept after a reconnect",
                        link);
            }
        }
    }

    /** Locks and tables of a client that is gone, or does nothing, go soon: a reset is due, or the connection has it. */
    private void checkCleanedSoon() {
        for (Link link : seen.links) {
            if (link.stage == Link.Stage.FREE && link.unclean) {
                check(!link.deserted, "%s rests with what its client left, which is gone", link);
                long due = link.restsSince + Checks.REST_BEFORE_RESET_NANOS;
                check(seen.bucket.nextDeadline() <= due, "%s is not reset when it has rested", link);
            }
        }
    }

    private void checkLogins() {
        BucketSettings s = seen.bucket.settings();
        for (Login login : seen.bucket.pools.logins()) {
            int limit = s.logins().ruleOf(login.name).limit();
            int open = countOf(login);
            int before = seen.ofLogin.getOrDefault(login.name, 0);
            check(
                    limit == 0 || open <= Math.max(limit, before) || seen.overtakenBySettings,
                    "%d connections of %s, limit %d, %d before",
                    open,
                    login.name,
                    limit,
                    before);
            seen.ofLogin.put(login.name, open);
            checkNoIdleBeyond(login, limit);
        }
    }

    private void checkNoIdleBeyond(Login login, int limit) {
        int staying = countOf(login);
        Link idle = null;
        for (Link link : seen.links) {
            if (link.connection.pool().login().equals(login.name)) {
                staying -= link.stage == Link.Stage.CLOSING ? 1 : 0;
                idle = link.stage == Link.Stage.FREE ? link : idle;
            }
        }
        check(limit == 0 || staying <= limit || idle == null, "%s is kept beyond its login's limit", idle);
    }

    /** Connections of a login that exist or have the slot to. */
    private int countOf(Login login) {
        int n = 0;
        for (Link link : seen.links) {
            n += link.connection.pool().login().equals(login.name) ? 1 : 0;
        }
        for (ServerConnection c = seen.bucket.ledger.rateLimited.first(); c != null; c = c.inStage.after()) {
            n += c.pool().login().equals(login.name) ? 1 : 0;
        }
        return n;
    }

    private void checkQueue() {
        int waiting = seen.waitingCount();
        check(waiting == seen.bucket.ledger.arrivals.size() + seen.bucket.lane.size(), "%d wait", waiting);
        checkLane();
        for (Pool p : pools) {
            int served = checking(p);
            boolean mayWait = seen.bucket.isPaused() || seen.waitsWhenDown();
            check(
                    waiting(p) <= served || seen.bucket.health() == HealthState.UP || mayWait,
                    "%d of %s wait for a server that is down",
                    waiting(p),
                    p);
        }
        check(waiting == 0 || !seen.bucket.isRemoved(), "%d wait for a bucket that was removed", waiting);
    }

    /** While somebody waits for a server that is down, it is being tried, or will be soon: nobody waits unheeded. */
    private void checkTried() {
        Bucket b = seen.bucket;
        boolean awaited = seen.waitingCount() > 0 && seen.waitsWhenDown() && !b.isRemoved();
        if (!awaited || b.health() == HealthState.UP) {
            return;
        }
        if (b.health() == HealthState.DOWN) {
            long latest = b.now() + LONGEST_WAIT_FOR_A_PROBE;
            check(b.nextDeadline() <= latest, "nobody tries the server for %d waiters", seen.waitingCount());
        } else {
            int asked = b.slots.asked();
            boolean underWay = b.ledger.opening.size() + b.ledger.checking.size() + b.ledger.rateLimited.size() > 0;
            check(underWay || asked > 0, "nothing is under way that would show whether the server is back");
        }
    }

    /** Connects that were under way when it went down may go on; from then on there is one at a time. */
    private void checkOneAtATime() {
        int opening = 0;
        for (Link link : seen.links) {
            opening += link.stage == Link.Stage.OPENING ? 1 : 0;
        }
        boolean up = seen.bucket.health() == HealthState.UP || seen.wasUp;
        check(up || opening <= Math.max(1, openingBefore), "%d connects at once to a server that is down", opening);
        check(
                seen.hadRoom || opening <= Math.max(1, openingBefore),
                "%d connects at once to a server that is full",
                opening);
        openingBefore = opening;
    }

    /** A full server is up; no slot is held for connections that it has no room for, and one at a time tries again. */
    private void checkFull() {
        Bucket b = seen.bucket;
        check(b.isFull() == seen.saidFull, "nobody was told that it is full: %s", b.isFull());
        if (!b.isFull()) {
            return;
        }
        check(b.health() == HealthState.UP, "full, and %s", b.health());
        int waiting = b.ledger.rateLimited.size() + b.ledger.leasing.size();
        boolean pausing = b.now() < b.room.retryAt();
        check(waiting <= (pausing ? 0 : 1), "%d connections are wanted of a server that is full", waiting);
        check(b.slots.inLine() <= (pausing ? 0 : 1), "in line for slots of a server that is full");
        long longest = b.conditions.tuning().fullMaxBackoffNanos;
        check(!pausing || seen.settingsChanged || b.room.retryAt() <= b.now() + longest, "too long a pause");
        check(!pausing || b.isRemoved() || b.nextDeadline() <= b.room.retryAt(), "nobody tries again");
    }

    /** The server is full, and to be tried for those who wait, unless one connection does that already or can't be had. */
    private void checkTriedForRoom(int eligible) {
        Bucket b = seen.bucket;
        int underWay = b.ledger.opening.size() + b.ledger.rateLimited.size() + b.ledger.heirs;
        if (b.now() < b.room.retryAt() || underWay + b.slots.asked() + b.slots.inLine() > 0) {
            return;
        }
        boolean idle = false;
        for (Link link : seen.links) {
            idle |= link.stage == Link.Stage.FREE;
        }
        int room = b.settings().maxConnections() - store.held - store.revoked - store.outstanding();
        boolean mayAsk = room > 0 && b.now() >= b.slots.retryAt();
        check(idle || !mayAsk, "%d wait for room, and nobody tries", eligible);
        check(!idle || !b.openings.mayStartNow(), "%d wait for room beside an idle connection", eligible);
    }

    /** A few logins are always let into the queue, and never more than a few. */
    private void checkLane() {
        int most = seen.bucket.settings().maxConnections();
        int underWay = 0;
        for (int i = 0; i < seen.clients.size(); i++) {
            Client c = seen.clients.get(i);
            if (c.isQueued() && c.login && isFirstLoginOfItsPool(i)) {
                int logins = queuedLogins(c.pool);
                underWay += logins - (mayOpen(c.pool) ? 0 : Math.min(logins, uncovered(c.pool)));
            }
        }
        int heldUpBefore = seen.bucket.pools.logins().size();
        seen.loginsUnderWay = Math.max(Math.min(underWay, seen.loginsUnderWay), Math.max(1, most / 2) + heldUpBefore);
        check(underWay <= seen.loginsUnderWay, "%d logins are under way", underWay);
        for (Client c : seen.clients) {
            boolean kept = c.waiting && c.waiter.inLane;
            check(!kept || c.login, "%s waits among logins", c);
            boolean heldUp = kept && !mayOpen(c.pool) && queuedLogins(c.pool.login) > 0;
            boolean excused = heldUp || seen.bucket.isPaused();
            check(!kept || excused || underWay > 0, "%s is kept from the queue, and no login is there", c);
        }
    }

    private boolean isFirstLoginOfItsPool(int index) {
        Pool pool = seen.clients.get(index).pool;
        for (Client c : seen.clients.subList(0, index)) {
            if (c.isQueued() && c.login && c.pool == pool) {
                return false;
            }
        }
        return true;
    }

    private int queuedLogins(Pool pool) {
        int n = 0;
        for (Client c : seen.clients) {
            n += c.isQueued() && c.login && c.pool == pool ? 1 : 0;
        }
        return n;
    }

    private int queuedLogins(Login login) {
        int n = 0;
        for (Client c : seen.clients) {
            n += c.isQueued() && c.login && c.pool.login == login ? 1 : 0;
        }
        return n;
    }

    /** Whoever waits has no connection of its pool lying ready. */
    private void checkServed(Pool p) {
        boolean waits = false;
        for (Client c : seen.clients) {
            waits |= c.isQueued() && c.pool == p;
        }
        if (!waits) {
            return;
        }
        int uncovered = uncovered(p);
        long validateAfter = seen.bucket.conditions.tuning().validateAfterNanos;
        for (Link link : seen.links) {
            ServerConnection c = link.connection;
            if (link.stage == Link.Stage.FREE && c.pool() == p && seen.bucket.now() < c.life.handoutUntil) {
                boolean stale = seen.bucket.now() - c.heardAt >= validateAfter;
                check(stale && uncovered == 0, "%s lies ready while someone waits for it", link);
            }
        }
    }

    /** Connections of a pool on their way, counted one by one. */
    private int coming(Pool p) {
        int n = 0;
        for (Link link : seen.links) {
            n += link.connection.pool() == p && link.isComing() ? 1 : 0;
        }
        for (ServerConnection c = seen.bucket.ledger.rateLimited.first(); c != null; c = c.inStage.after()) {
            n += c.pool() == p ? 1 : 0;
        }
        for (ServerConnection c = seen.bucket.ledger.leasing.first(); c != null; c = c.inStage.after()) {
            n += c.pool() == p && c.slotFrom != null ? 1 : 0;
        }
        return n;
    }

    private int checking(Pool p) {
        int n = 0;
        for (Link link : seen.links) {
            boolean checked = link.stage == Link.Stage.VALIDATING || link.stage == Link.Stage.RESETTING;
            n += link.connection.pool() == p && checked ? 1 : 0;
        }
        return n;
    }

    private int waiting(Pool p) {
        int n = 0;
        for (Client c : seen.clients) {
            n += c.isQueued() && c.pool == p ? 1 : 0;
        }
        return n;
    }

    private int uncovered(Pool p) {
        return Math.max(0, waiting(p) - coming(p));
    }

    private void checkWorkConserved() {
        Bucket b = seen.bucket;
        int eligible = 0;
        boolean mayStart = b.openings.mayStartNow();
        for (Pool p : pools) {
            int uncovered = uncovered(p);
            boolean mayOpen = uncovered > 0 && mayOpen(p);
            eligible += mayOpen ? uncovered : 0;
            if (uncovered > 0 && !mayOpen) {
                checkLoginHelpsItself(p, mayStart);
            }
        }
        // Which answer belongs to which ask is the bucket's guess: only their sum is certain.
        int asked = Math.max(store.unanswered(), b.slots.asked());
        int askedMeanwhile = Math.max(asked, store.answeredInside);
        store.answeredInside = 0;
        for (Pool p : pools) {
            markEligible(p, uncovered(p), eligible > askedMeanwhile && mayStart && mayOpen(p));
        }
        if (eligible == 0 || b.isRemoved() || b.health() != HealthState.UP) {
            return; // nothing is opened for those who wait for a server that is down
        }
        if (b.isFull()) {
            checkTriedForRoom(eligible);
            return;
        }
        checkNothingSpare();
        int room = b.settings().maxConnections() - store.held - store.revoked - store.outstanding();
        boolean mayAsk = room > 0 && b.now() >= b.slots.retryAt();
        check(
                !mayAsk || eligible <= store.unanswered() + store.inLine,
                "%d wait, and nobody asks for a slot",
                eligible);
        if (eligible <= asked) {
            return;
        }
        boolean idle = false;
        for (Link link : seen.links) {
            idle |= link.stage == Link.Stage.FREE;
        }
        check(!idle || !mayStart, "an idle connection is kept while %d wait", eligible);
        ExhaustionSettings exhaustion = b.settings().exhaustion();
        check(
                idle || b.slots.overflow() >= exhaustion.overflowConnections(),
                "%d wait though overflow is left",
                eligible);
        check(
                idle || exhaustion.policy() != ExhaustionSettings.Policy.FAIL_FAST,
                "%d wait, policy is not to",
                eligible);
    }

    private boolean mayOpen(Pool p) {
        int limit = seen.bucket.settings().logins().ruleOf(p.login()).limit();
        return p.standing == Pool.Standing.ACTIVE
                && seen.bucket.now() >= p.loginRetryAt
                && (limit == 0 || countWithHeirs(p.login) < limit);
    }

    private int countWithHeirs(Login login) {
        int n = countOf(login);
        for (ServerConnection c = seen.bucket.ledger.leasing.first(); c != null; c = c.inStage.after()) {
            boolean heir = c.slotFrom != null && c.pool().login == login;
            n += heir && c.slotFrom.pool().login != login ? 1 : 0;
        }
        return n;
    }

    /** The last so many of a pool have no connection on its way. Who was so before and after was passed over. */
    private void markEligible(Pool p, int uncovered, boolean couldStart) {
        for (Client c : seen.clients) {
            if (c.pool != p || !c.isQueued()) {
                c.wasEligible &= c.isQueued();
                continue;
            }
            boolean eligible = couldStart && youngerIn(p, c) < uncovered;
            check(!(c.passedOver && eligible && !seen.meddled), "%s was passed over by a younger one", c);
            c.passedOver = false;
            c.wasEligible = eligible;
        }
    }

    private int youngerIn(Pool p, Client than) {
        int n = 0;
        for (Client c : seen.clients) {
            n += c.isQueued() && c.pool == p && c.waiter.order > than.waiter.order ? 1 : 0;
        }
        return n;
    }

    private void checkLoginHelpsItself(Pool p, boolean mayStart) {
        boolean byLimitAlone = p.standing == Pool.Standing.ACTIVE && seen.bucket.now() >= p.loginRetryAt;
        for (Link link : seen.links) {
            boolean idle = link.stage == Link.Stage.FREE && link.connection.pool().login == p.login;
            check(!(idle && byLimitAlone && mayStart), "%s is kept while its login waits at its limit", link);
        }
    }

    private void checkNothingSpare() {
        for (ServerConnection c = seen.bucket.ledger.rateLimited.first(); c != null; c = c.inStage.after()) {
            check(coming(c.pool()) <= waiting(c.pool()), "%s has a slot for nobody while others wait", c);
        }
    }
}

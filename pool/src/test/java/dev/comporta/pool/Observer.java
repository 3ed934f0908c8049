package dev.comporta.pool;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.state.SlotHold;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Keeps its own books from what it is ordered and what it reports, and compares. It trusts none of the core's sums; of
 * the core it reads only which connections exist and in which state, the connect rate's verdict, and pauses.
 */
final class Observer implements Orders {
    /** A queue timeout that no sequence comes near to by itself. */
    static final long PATIENCE = Duration.ofHours(1).toNanos();

    final List<Link> links = new ArrayList<>();
    final List<Client> clients = new ArrayList<>();
    final FakeStore store;
    Bucket bucket;
    int drainedTold;
    /** Since the latest pause. */
    boolean quiescedTold;
    /** Logins that may be under way: more than the bound after something changed that held them up. */
    int loginsUnderWay;

    long arrivals;
    /** Slots beyond a limit that was lowered. */
    int overLimit;
    /** Overflow connections there may be; more than the bound after it was lowered. */
    int overflowBound;
    /** Some waiters may have got their place by turns instead of by arrival. */
    boolean everFair;
    /** Connections of each login after the last event: beyond a limit that was lowered they may only get fewer. */
    final Map<String, Integer> ofLogin = new HashMap<>();
    /** Pools whose warm-up is not over. */
    final Set<Object> warming = new HashSet<>();
    /** In the event under way, something was done from inside an order that is not the answer to it. */
    boolean meddled;
    /** And that was new settings: orders on their way were made under the old ones. */
    boolean overtakenBySettings;
    /** When all began to go well. */
    long windDownAt = Long.MAX_VALUE;

    long attached;
    long refused;
    /** A digest of all orders, for comparing runs. */
    long trace;
    /** The observer's own connect rate: when its token bucket is full again. */
    private long tokensFullAt;
    /** When connections were ordered to be opened, in the last second. */
    private final ArrayDeque<Long> openedAt = new ArrayDeque<>();
    /** What the carrier does from inside an order. */
    Reflexes reflexes = new Reflexes() {};

    /** Events fed from inside an order. */
    interface Reflexes {
        default void afterOpen(Link link) {}

        default void afterClose(Link link) {}

        default void afterCheck(Link link) {}

        default void afterAttach(Client client, Link link) {}

        default void afterRefuse(Client client) {}

        /** Anything else that happens at that moment. */
        default void meanwhile() {}
    }

    Observer(FakeStore store) {
        this.store = store;
    }

    static void check(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new AssertionError(args.length == 0 ? message : String.format(message, args));
        }
    }

    private void note(int kind, long about) {
        trace = (trace ^ (kind * 31L + about)) * 0x100000001B3L;
    }

    @Override
    public void open(ServerConnection c) {
        note(1, c.id());
        check(c.attachment() == null, "%s opened twice", c);
        check(
                c.state() == ConnectionState.CONNECTING
                        || bucket.isRemoved()
                        || c.state() == ConnectionState.CLOSING
                        || c.state() == ConnectionState.CLOSED,
                "%s ordered to open",
                c);
        // Orders that were made before the pause are given; a server that was down is tried.
        check(!bucket.isPaused() || meddled || everDown, "%s ordered to open in a paused bucket", c);
        Link link = new Link(c);
        c.attach(link);
        links.add(link);
        long interval =
                Math.max(1, 1_000_000_000L / bucket.settings().connectRate().perSecond());
        tokensFullAt = Math.max(tokensFullAt, bucket.now()) + interval;
        check(
                store.lenient
                        || tokensFullAt - bucket.now()
                                <= interval * bucket.settings().connectRate().burst(),
                "opened faster than the connect rate");
        openedAt.add(bucket.now());
        while (openedAt.peek() <= bucket.now() - 1_000_000_000L) {
            openedAt.poll();
        }
        check(
                store.lenient
                        || openedAt.size() <= bucket.settings().connectRate().perSecond(),
                "%d opened within a second",
                openedAt.size());
        check(!store.metered || store.permitted-- > 0, "%s opened without a permit", c);
        reflexes.afterOpen(link);
        reflexes.meanwhile();
    }

    /** Tokens that were missing come back at the new rate. */
    void rateChanged(ConnectRateSettings from, ConnectRateSettings to, long now) {
        long old = Math.max(1, 1_000_000_000L / from.perSecond());
        long missing = (Math.max(0, tokensFullAt - now) + old - 1) / old;
        long interval = Math.max(1, 1_000_000_000L / to.perSecond());
        tokensFullAt = now + Math.min(missing, to.burst()) * interval;
    }

    @Override
    public void close(ServerConnection c, CloseReason why) {
        note(2, c.id() * 31 + why.ordinal());
        Link link = Link.of(c);
        check(link != null, "%s closed before it was opened", c);
        if (meddled && link.stage == Link.Stage.GONE) {
            return;
        }
        check(link.stage != Link.Stage.HELD, "%s closed under its client", link);
        check(link.stage != Link.Stage.CLOSING && link.stage != Link.Stage.GONE, "%s closed twice", link);
        link.stage = Link.Stage.CLOSING;
        link.closeReason = why;
        reflexes.afterClose(link);
        reflexes.meanwhile();
    }

    /** What was reported as gone or broken while an order about it was on its way: there is nothing left to do. */
    private boolean wasOvertaken(Link link) {
        return meddled && (link.stage == Link.Stage.GONE || link.stage == Link.Stage.BROKEN);
    }

    @Override
    public void attach(Waiter w, ServerConnection c) {
        note(3, c.id() * 31 + ((Client) w.client()).number);
        Client client = (Client) w.client();
        Link link = Link.of(c);
        attached++;
        check(client.waiting, "%s served without having asked", client);
        check(!bucket.isPaused() || meddled, "%s served in a paused bucket", client);
        if (link != null && wasOvertaken(link)) {
            client.waiting = false;
            client.passedOver = false;
            return;
        }
        check(link != null && link.stage == Link.Stage.FREE, "%s given to %s", link, client);
        check(!link.dirty, "%s given to %s without a reset", link, client);
        check(client.pool.key().equals(c.pool().key()), "%s got %s", client, link);
        check(bucket.now() < c.life.handoutUntil, "%s given to %s in its guard window", link, client);
        check(link.lastHolder == client || c.changedHands(), "%s does not know that %s is another", link, client);
        check(Objects.equals(link.session, c.sessionState()), "%s is in state %s", link, link.session);
        checkLifetime(link);
        for (Client other : clients) {
            boolean sameLine = other.login == client.login;
            if (other.waiting && other != client && sameLine && other.arrival < client.arrival) {
                check(!other.pool.key().equals(client.pool.key()), "%s served before %s", client, other);
                boolean sameTurn = !everFair || other.pool.login().equals(client.pool.login());
                // A login may have been held up in its lane by its own limit: the order in the queue counts.
                boolean cameFirst = !client.login || other.waiter.order < w.order;
                other.passedOver |= other.wasEligible && sameTurn && cameFirst;
            }
        }
        client.waiting = false;
        client.passedOver = false;
        client.link = link;
        link.stage = Link.Stage.HELD;
        link.holder = client;
        link.lastHolder = client;
        link.deserted = false;
        client.lastLink = link;
        reflexes.afterAttach(client, link);
        reflexes.meanwhile();
    }

    private void checkLifetime(Link link) {
        BucketSettings s = bucket.settings();
        if (link.connection.slot.hold() == SlotHold.OVERFLOW || settingsChanged) {
            return;
        }
        long longest =
                s.reservoir().lifetime().plus(s.reservoir().lifetimeJitter()).toNanos();
        long end = link.openedAt + longest - s.reservoir().guardWindow().toNanos();
        check(bucket.now() < end, "%s is too old to be handed out", link);
    }

    /** Lifetimes were sampled under other settings. */
    boolean settingsChanged;

    @Override
    public void refuse(Waiter w, Refusal why) {
        Client client = (Client) w.client();
        note(4, client.number * 31L + why.ordinal());
        refused++;
        check(client.waiting, "%s refused without having asked", client);
        client.waiting = false;
        client.passedOver = false;
        if (!overtakenBySettings) {
            checkRefusal(client, why);
        }
        reflexes.afterRefuse(client);
        reflexes.meanwhile();
    }

    private void checkRefusal(Client client, Refusal why) {
        boolean byTheQueue = why == Refusal.QUEUE_TIMEOUT || why == Refusal.QUEUE_FULL || why == Refusal.REMOVED;
        check(!bucket.isPaused() || meddled || byTheQueue, "%s refused in a paused bucket: %s", client, why);
        switch (why) {
            case QUEUE_TIMEOUT -> {
                long timeout = bucket.settings().queue().timeout().toNanos();
                check(bucket.now() - client.since >= timeout, "%s timed out early", client);
                long fromThenOn = bucket.now() - Math.max(windDownAt, client.since);
                check(fromThenOn < PATIENCE / 2, "%s was lost: it waited in vain while all went well", client);
            }
            case QUEUE_FULL ->
                check(
                        !client.login
                                && (meddled
                                        || inQueue()
                                                >= bucket.settings().queue().maxSize()),
                        "%s refused by a queue that is not full",
                        client);
            case POOL_EXHAUSTED ->
                check(
                        bucket.settings().exhaustion().policy() == ExhaustionSettings.Policy.FAIL_FAST,
                        "%s refused, though the policy is to wait",
                        client);
            case SERVER_UNAVAILABLE -> {
                check(bucket.health() != HealthState.UP || everDown, "%s refused", client);
                check(!waitsWhenDown() || meddled, "%s refused, though it is to wait for the server", client);
            }
            case LOGIN_REJECTED, LOGIN_FAILED, REMOVED -> {}
        }
    }

    boolean waitsWhenDown() {
        return bucket.settings().queue().whenDown() == QueueSettings.WhenDown.WAIT;
    }

    /** Within the event under way the bucket may have been down and up again. */
    boolean everDown;
    /** It was up for a moment, at least, since the event before: more than one connect may be under way. */
    boolean wasUp = true;

    @Override
    public void healthChanged(Bucket b, HealthState health) {
        note(5, health.ordinal());
        everDown |= health != HealthState.UP;
        wasUp |= health == HealthState.UP;
    }

    /** Whether the bucket said last that its server is full; and that it was not, for a moment, since the event before. */
    boolean saidFull;

    boolean hadRoom = true;

    @Override
    public void roomChanged(Bucket b, boolean full) {
        note(11, full ? 1 : 0);
        check(full != saidFull, "told twice that it is full: %s", full);
        saidFull = full;
        hadRoom |= !full;
    }

    @Override
    public void reset(ServerConnection c) {
        note(6, c.id());
        Link link = Link.of(c);
        if (link != null && wasOvertaken(link)) {
            return;
        }
        check(link != null && link.stage == Link.Stage.FREE, "%s reset", link);
        link.stage = Link.Stage.RESETTING;
        reflexes.afterCheck(link);
        reflexes.meanwhile();
    }

    @Override
    public void validate(ServerConnection c, HealthSettings.Check how) {
        note(7, c.id());
        Link link = Link.of(c);
        if (link != null && wasOvertaken(link)) {
            return;
        }
        check(link != null && link.stage == Link.Stage.FREE, "%s validated", link);
        check(!link.dirty, "%s validated before it was reset", link);
        link.stage = Link.Stage.VALIDATING;
        link.check = how;
        reflexes.afterCheck(link);
        reflexes.meanwhile();
    }

    @Override
    public void warmedUp(Pool pool, int ready, int wanted) {
        note(9, ready);
        check(warming.remove(pool.key()), "%s is warm though nobody asked", pool);
    }

    @Override
    public void quiesced(Bucket b) {
        note(10, 0);
        check(!quiescedTold || meddled, "told twice that it is at rest");
        check(b.isPaused() || meddled, "at rest without a pause");
        check(isQuiet() || meddled, "told to be at rest while clients have connections");
        quiescedTold = true;
    }

    boolean isQuiet() {
        for (Link link : links) {
            if (link.stage == Link.Stage.HELD || link.stage == Link.Stage.RESETTING) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void drained(Bucket b) {
        note(8, 0);
        drainedTold++;
    }

    /** A client left: what it had last is for others now. */
    void gone(Client client) {
        if (client.lastLink != null && client.lastLink.lastHolder == client) {
            client.lastLink.deserted = true;
        }
        client.lastLink = null;
    }

    /** A pool that was forgotten came back as another. */
    void renew(Pool old, Pool renewed) {
        for (Client c : clients) {
            c.pool = c.pool == old ? renewed : c.pool;
        }
    }

    /** Those who are logged in and wait. */
    private int inQueue() {
        int n = 0;
        for (Client c : clients) {
            n += c.waiting && !c.login ? 1 : 0;
        }
        return n;
    }

    int waitingCount() {
        int n = 0;
        for (Client c : clients) {
            n += c.waiting ? 1 : 0;
        }
        return n;
    }
}

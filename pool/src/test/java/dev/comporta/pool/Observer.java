package dev.comporta.pool;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps its own books from what it is ordered and what it reports, and compares. It trusts none of the core's sums; of
 * the core it reads only which connections exist and in which state, the connect rate's verdict, and pauses.
 */
final class Observer implements Orders {
    final List<Link> links = new ArrayList<>();
    final List<Client> clients = new ArrayList<>();
    final FakeStore store;
    Bucket bucket;
    int drainedTold;
    long arrivals;
    /** Slots revoked whose connections are not closed yet. */
    int excess;
    /** Slots beyond a limit that was lowered. */
    int overLimit;
    /** Overflow connections there may be; more than the bound after it was lowered. */
    int overflowBound;
    /** Some waiters may have got their place by turns instead of by arrival. */
    boolean everFair;
    /** Logins may have more connections than their limit until those come free. */
    boolean loginLimitsLowered;
    /** A digest of all orders, for comparing runs. */
    long trace;
    /** The observer's own connect rate: when its token bucket is full again. */
    private long tokensFullAt;
    /** What the carrier does from inside an order. */
    Reflexes reflexes = new Reflexes() {};

    /** Events fed from inside an order. */
    interface Reflexes {
        default void afterOpen(Link link) {}

        default void afterClose(Link link) {}

        default void afterCheck(Link link) {}

        default void afterAttach(Client client, Link link) {}

        default void afterRefuse(Client client) {}
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
        Link link = new Link(c);
        c.attach(link);
        links.add(link);
        long interval =
                Math.max(1, 1_000_000_000L / bucket.settings().connectRate().perSecond());
        tokensFullAt = Math.max(tokensFullAt, bucket.now()) + interval;
        check(
                tokensFullAt - bucket.now()
                        <= interval * bucket.settings().connectRate().burst() + slack,
                "opened faster than the connect rate");
        reflexes.afterOpen(link);
    }

    /** What a lowered rate leaves behind. */
    long slack;

    @Override
    public void close(ServerConnection c, CloseReason why) {
        note(2, c.id() * 31 + why.ordinal());
        Link link = Link.of(c);
        check(link != null, "%s closed before it was opened", c);
        check(link.stage != Link.Stage.HELD, "%s closed under its client", link);
        check(link.stage != Link.Stage.CLOSING && link.stage != Link.Stage.GONE, "%s closed twice", link);
        link.stage = Link.Stage.CLOSING;
        link.closeReason = why;
        reflexes.afterClose(link);
    }

    @Override
    public void attach(Waiter w, ServerConnection c) {
        note(3, c.id() * 31 + ((Client) w.client()).number);
        Client client = (Client) w.client();
        Link link = Link.of(c);
        check(client.waiting, "%s served without having asked", client);
        check(link != null && link.stage == Link.Stage.FREE, "%s given to %s", link, client);
        check(!link.dirty, "%s given to %s without a reset", link, client);
        check(client.pool.key().equals(c.pool().key()), "%s got %s", client, link);
        check(bucket.now() < c.handoutUntil, "%s given to %s in its guard window", link, client);
        checkLifetime(link);
        for (Client other : clients) {
            if (other.waiting && other != client && other.arrival < client.arrival) {
                check(!other.pool.key().equals(client.pool.key()), "%s served before %s", client, other);
                boolean sameTurn = !everFair || other.pool.login().equals(client.pool.login());
                other.passedOver |= other.wasEligible && sameTurn;
            }
        }
        client.waiting = false;
        client.passedOver = false;
        client.link = link;
        link.stage = Link.Stage.HELD;
        link.holder = client;
        reflexes.afterAttach(client, link);
    }

    private void checkLifetime(Link link) {
        BucketSettings s = bucket.settings();
        if (link.connection.hold == SlotHold.OVERFLOW || settingsChanged) {
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
        check(client.waiting, "%s refused without having asked", client);
        client.waiting = false;
        client.passedOver = false;
        switch (why) {
            case QUEUE_TIMEOUT ->
                check(
                        bucket.now() - client.since
                                >= bucket.settings().queue().timeout().toNanos(),
                        "%s timed out early",
                        client);
            case QUEUE_FULL ->
                check(
                        waitingCount() >= bucket.settings().queue().maxSize(),
                        "%s refused by a queue that is not full",
                        client);
            case POOL_EXHAUSTED ->
                check(
                        bucket.settings().exhaustion().policy() == ExhaustionSettings.Policy.FAIL_FAST,
                        "%s refused, though the policy is to wait",
                        client);
            case SERVER_UNAVAILABLE -> check(bucket.health() != HealthState.UP || everDown, "%s refused", client);
            case LOGIN_REJECTED, REMOVED -> {}
        }
        reflexes.afterRefuse(client);
    }

    /** Within the event under way the bucket may have been down and up again. */
    boolean everDown;

    @Override
    public void healthChanged(Bucket b, HealthState health) {
        note(5, health.ordinal());
        everDown |= health != HealthState.UP;
    }

    @Override
    public void reset(ServerConnection c) {
        note(6, c.id());
        Link link = Link.of(c);
        check(link != null && link.stage == Link.Stage.FREE, "%s reset", link);
        link.stage = Link.Stage.RESETTING;
        reflexes.afterCheck(link);
    }

    @Override
    public void validate(ServerConnection c, HealthSettings.Check how) {
        note(7, c.id());
        Link link = Link.of(c);
        check(link != null && link.stage == Link.Stage.FREE, "%s validated", link);
        check(!link.dirty, "%s validated before it was reset", link);
        link.stage = Link.Stage.VALIDATING;
        reflexes.afterCheck(link);
    }

    @Override
    public void drained(Bucket b) {
        note(8, 0);
        drainedTold++;
    }

    /** A pool that was forgotten came back as another. */
    void renew(Pool old, Pool renewed) {
        for (Client c : clients) {
            c.pool = c.pool == old ? renewed : c.pool;
        }
    }

    int waitingCount() {
        int n = 0;
        for (Client c : clients) {
            n += c.waiting ? 1 : 0;
        }
        return n;
    }
}

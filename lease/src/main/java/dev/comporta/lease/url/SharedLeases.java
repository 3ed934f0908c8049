package dev.comporta.lease.url;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.lease.LeasedBucket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The fleets that this process takes part in. Pools that name the same store and the same instance share one membership: one
 * connection to the store, one heartbeat. It ends with the last of them. Thread-safe.
 *
 * <p>An instance has one entry in the book of a limit. So a second pool of this process under the same limit is an instance of its
 * own for the store, with a number behind its name: both hold slots of the one limit, and neither knows of the other.
 */
public final class SharedLeases {
    /** The memberships of this process. */
    public static final SharedLeases OF_PROCESS = new SharedLeases();

    private record Key(String url, LeaseSettings me) {}

    /** One instance, as the store knows it. Guarded by the {@link SharedLeases}. */
    private static final class Membership {
        final int number;
        final FleetLeases leases;
        final Set<String> limits = new HashSet<>();

        Membership(int number, FleetLeases leases) {
            this.number = number;
            this.leases = leases;
        }

        boolean isFreeFor(String limit) {
            return !limits.contains(limit) && leases.leaseOf(limit) == null;
        }
    }

    private final Map<Key, List<Membership>> memberships = new HashMap<>();

    /**
     * Leases slots for one pool, until {@link LeaseSource#close}, to be called when the pool's connections are closed.
     *
     * @param store read from the URL
     * @param limit the limit's name: all pools of a fleet that use the same name share the limit
     */
    public synchronized LeaseSource join(String url, StoreOpener store, LeaseSettings me, String limit) {
        Key key = new Key(url, me);
        List<Membership> known = memberships.getOrDefault(key, List.of());
        for (Membership membership : known) {
            if (membership.isFreeFor(limit)) {
                membership.limits.add(limit);
                return new Share(key, membership, limit);
            }
        }
        int number = 1;
        for (Membership membership : known) {
            number = Math.max(number, membership.number + 1); // never that of one that is still leaving
        }
        LeaseSettings numbered = numbered(me, number);
        Membership made = new Membership(number, new FleetLeases(numbered, store.open(numbered)));
        made.limits.add(limit);
        memberships.computeIfAbsent(key, _ -> new ArrayList<>()).add(made);
        return new Share(key, made, limit);
    }

    private static LeaseSettings numbered(LeaseSettings me, int number) {
        return number == 1
                ? me
                : new LeaseSettings(
                        me.instance() + "+" + number,
                        me.heartbeatInterval(),
                        me.timeToLive(),
                        me.fallback(),
                        me.localLimitDivisor());
    }

    /** As how many instances this process is known to its stores. */
    synchronized int memberships() {
        return memberships.values().stream().mapToInt(List::size).sum();
    }

    private void end(Share share) {
        boolean wasLast;
        synchronized (this) {
            share.membership.limits.remove(share.limit);
            wasLast = share.membership.limits.isEmpty();
            if (wasLast) {
                List<Membership> known = memberships.getOrDefault(share.key, new ArrayList<>());
                known.remove(share.membership);
                if (known.isEmpty()) {
                    memberships.remove(share.key);
                }
            }
        }
        if (wasLast) {
            share.membership.leases.close(); // may wait briefly for the store
        }
    }

    /** One pool's part in a membership. The store knows it by the limit's name, not by the pool's. */
    private final class Share implements LeaseSource {
        private final Key key;
        private final Membership membership;
        private final String limit;
        private boolean closed;

        Share(Key key, Membership membership, String limit) {
            this.key = key;
            this.membership = membership;
            this.limit = limit;
        }

        @Override
        public LeasePort leasesOf(String bucketId, LeasedBucket bucket) {
            return membership.leases.leasesOf(limit, bucket);
        }

        @Override
        public CompletableFuture<?> left(String bucketId) {
            return membership.leases.left(limit);
        }

        @Override
        public void close() {
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
            }
            end(this);
        }
    }
}

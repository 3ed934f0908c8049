package dev.comporta.lease;

import java.util.EnumSet;
import java.util.Set;

/**
 * How large a modelled fleet is, and what may happen to it.
 *
 * @param appetite connections that an instance wants at most
 * @param crowd connections that all want together at most
 * @param ttl a lease by the store's clock, in ticks
 * @param validFor the same by the instance's own
 * @param budget so many things may go wrong in all
 * @param faults which
 * @param traits what else the world has
 */
record ModelSetting(
        int instances,
        int limit,
        int appetite,
        int crowd,
        int ttl,
        int validFor,
        int budget,
        Set<Fault> faults,
        Set<Trait> traits) {
    enum Fault {
        CRASH,
        /** The process stands still, for as long as it takes. */
        PAUSE,
        /** An answer or an announcement is lost, or late. */
        LOSS,
        /** A call is carried out long after it was sent, perhaps after it was given up. */
        GHOST,
        /** The store is restarted without its books. */
        EMPTY,
        /** A replica that lacks the last call takes over. */
        STALE,
        /** Nobody can reach the store for a time. */
        OUTAGE,
        /** One instance can't. */
        CUT,
        /** Not a fault: an instance leaves in good order. */
        LEAVE
    }

    enum Trait {
        /** Instances go on with their fair share while the store can't be reached. */
        FALLBACK,
        /** An answer may always be late, at no cost; otherwise a call is answered at once unless something goes wrong. */
        CROSSING,
        /**
         * Connections are in use or idle, and stay open until the fleet demands them. Without it a connection may close
         * whenever it likes: then demands could do nothing to the limit that does not happen anyway, and are left out.
         */
        PRESSING,
        /** Heartbeats may come too late, at no cost; otherwise they do when an instance pauses or can't reach the store. */
        TARDY,
        /** Slots are also wanted at once or not at all. */
        AT_ONCE,
        /** Connections in use stay open beyond their lease, until their clients are done; otherwise they close at once. */
        OUTLIVING,
        /**
         * The store decides nothing: an instance reads the book, decides, and writes it if nobody else has, each a step of its
         * own. Calls that say nothing new write nothing but a beat, which does not conflict with other writes.
         */
        APART
    }

    static ModelSetting of(int instances, int limit, int appetite) {
        return new ModelSetting(
                instances,
                limit,
                appetite,
                instances * appetite,
                3,
                2,
                0,
                EnumSet.noneOf(Fault.class),
                EnumSet.noneOf(Trait.class));
    }

    ModelSetting with(int faultBudget, Fault first, Fault... more) {
        return new ModelSetting(
                instances, limit, appetite, crowd, ttl, validFor, faultBudget, EnumSet.of(first, more), traits);
    }

    ModelSetting with(int faultBudget, Set<Fault> kinds) {
        return new ModelSetting(instances, limit, appetite, crowd, ttl, validFor, faultBudget, kinds, traits);
    }

    ModelSetting with(Trait trait) {
        EnumSet<Trait> more = EnumSet.of(trait);
        more.addAll(traits);
        return new ModelSetting(instances, limit, appetite, crowd, ttl, validFor, budget, faults, more);
    }

    ModelSetting lease(int ticks, int validTicks) {
        return new ModelSetting(instances, limit, appetite, crowd, ticks, validTicks, budget, faults, traits);
    }

    /** With so many connections wanted in all: one more than there are slots is enough for someone to wait. */
    ModelSetting crowd(int most) {
        return new ModelSetting(instances, limit, appetite, most, ttl, validFor, budget, faults, traits);
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    int share() {
        return has(Trait.FALLBACK) ? limit / instances : 0;
    }

    @Override
    public String toString() {
        return "%d instances, limit %d, appetite %d (%d in all), lease %d/%d, %d of %s, %s"
                .formatted(instances, limit, appetite, crowd, ttl, validFor, budget, faults, traits);
    }
}

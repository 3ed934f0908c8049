package dev.comporta.pool.stats;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** A counter for each constant of an enum: an array behind it, so that counting neither boxes nor hashes. */
public final class EnumCounts<E extends Enum<E>> {
    private final E[] constants;
    private final long[] counts;

    public EnumCounts(E[] constants) {
        this.constants = constants;
        counts = new long[constants.length];
    }

    @SuppressWarnings("EnumOrdinal") // this class is what keeps ordinals out of all others
    public void add(E constant, long n) {
        counts[constant.ordinal()] += n;
    }

    @SuppressWarnings("EnumOrdinal")
    public long get(E constant) {
        return counts[constant.ordinal()];
    }

    public Map<E, Long> snapshot() {
        Map<E, Long> all = new EnumMap<>(constants[0].getDeclaringClass());
        for (E constant : constants) {
            all.put(constant, get(constant));
        }
        return Collections.unmodifiableMap(all);
    }
}

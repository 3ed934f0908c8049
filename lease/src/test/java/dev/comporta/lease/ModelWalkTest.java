package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.ModelSetting.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Long random ways through fleets far larger than {@link ProtocolModelTest} can explore, the same ones each time; {@link
 * LargeProtocolModel} goes others. Each has a seed, which is told when a promise is broken; {@code -Dcomporta.model.seed=…}
 * walks that one again.
 */
@Isolated
class ModelWalkTest {
    private static final int WALKS = 40;
    private static final int STEPS = 3_000;
    /** Looking into the future costs as much as a hundred steps. */
    private static final int FUTURE_EVERY = 100;

    private static final int FAULT_EVERY = 40;

    private static ModelSetting world(long seed) {
        int limit = 3 + (int) Long.remainderUnsigned(seed, 7);
        ModelSetting s = ModelSetting.of(5, limit, 3).lease(4, 3).with(100, EnumSet.allOf(Fault.class));
        s = seed % 2 == 0 ? s : s.with(Trait.FALLBACK);
        s = seed % 3 == 0 ? s.with(Trait.PRESSING) : s.with(Trait.AT_ONCE);
        s = seed % 5 == 0 ? s.with(Trait.TARDY) : s;
        s = seed % 4 < 2 ? s.with(Trait.OUTLIVING) : s;
        s = seed % 7 == 0 ? s.with(Trait.CROSSING) : s;
        return seed % 4 == 1 && !s.has(Trait.PRESSING) ? s.with(Trait.APART) : s;
    }

    @Test
    void largeFleetsKeepTheirPromises() {
        Long again = Long.getLong("comporta.model.seed");
        if (again != null) {
            walk(again);
            return;
        }
        for (long seed = 1; seed <= WALKS; seed++) {
            walk(seed);
        }
    }

    static void walk(long seed) {
        ModelSetting setting = world(seed);
        try {
            new ModelWalk(setting, seed, ModelRun.futures(setting)).go(STEPS, FUTURE_EVERY, FAULT_EVERY);
        } catch (AssertionError e) {
            throw new AssertionError("-Dcomporta.model.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    /** What the model checker takes for one state behaves as one. */
    @Test
    void packedStatesAreFollowedByTheSameStates() {
        Set<Fault> withoutReplica = EnumSet.complementOf(EnumSet.of(Fault.STALE));
        for (int seed = 0; seed < 200; seed++) {
            Set<Fault> faults = seed % 2 == 0 ? withoutReplica : EnumSet.allOf(Fault.class);
            ModelSetting s = ModelSetting.of(3, 2 + seed % 3, 2).with(100, faults);
            s = seed % 3 == 0 ? s.with(Trait.AT_ONCE) : s.with(Trait.FALLBACK);
            s = seed % 5 == 0 ? s.with(Trait.TARDY) : s;
            s = seed % 4 < 2 ? s.with(Trait.OUTLIVING) : s;
            s = seed % 7 == 0 ? s.with(Trait.CROSSING) : s;
            s = seed % 6 == 1 ? s.with(Trait.APART) : s;
            new ModelWalk(s, seed, List.of()).goAndCompare(100, 8);
        }
    }
}

package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Fault;
import dev.comporta.lease.ModelSetting.Trait;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Worlds that take minutes and gigabytes each: not for every build, see CONTRIBUTING.md for how to run them. */
class LargeProtocolModel {
    private static final int FRESH_WALKS = 2_000;
    private static final Set<Fault> FAULTS = EnumSet.of(Fault.CRASH, Fault.PAUSE, Fault.LOSS, Fault.EMPTY);

    @Test
    void threeInstancesThreeSlotsTwoFaultsOfAnyKind() {
        ModelRun.explore(ModelSetting.of(3, 3, 2).crowd(4).with(2, FAULTS));
    }

    @Test
    void threeInstancesTwoSlotsThreeFaultsOfAnyKind() {
        ModelRun.explore(ModelSetting.of(3, 2, 1).with(3, FAULTS));
    }

    @Test
    void threeInstancesTwoSlotsEveryFaultThereIs() {
        ModelRun.explore(ModelSetting.of(3, 2, 1).with(Trait.FALLBACK).with(1, EnumSet.allOf(Fault.class)));
    }

    @Test
    void threeInstancesThreeSlotsAndAStoreThatIsAwayForAnyTime() {
        ModelRun.explore(
                ModelSetting.of(3, 3, 1).with(Trait.FALLBACK).with(Trait.TARDY).with(1, EnumSet.of(Fault.OUTAGE)));
    }

    @Test
    void threeInstancesWhoseConnectionsOutliveTheirLease() {
        ModelRun.explore(ModelSetting.of(3, 3, 1)
                .with(Trait.OUTLIVING)
                .with(Trait.FALLBACK)
                .with(1, EnumSet.of(Fault.CRASH, Fault.PAUSE, Fault.EMPTY, Fault.OUTAGE, Fault.CUT)));
    }

    @Test
    void threeInstancesPressEachOther() {
        ModelRun.explore(ModelSetting.of(3, 3, 2).crowd(4).with(Trait.PRESSING));
    }

    @Test
    void twoInstancesReadAndWriteApartWithTwoFaults() {
        ModelRun.explore(ModelSetting.of(2, 1, 1)
                .with(Trait.APART)
                .with(2, EnumSet.of(Fault.CRASH, Fault.PAUSE, Fault.GHOST, Fault.EMPTY)));
    }

    @Test
    void threeInstancesReadAndWriteApart() {
        ModelRun.explore(ModelSetting.of(3, 1, 1).with(Trait.APART).with(1, EnumSet.of(Fault.CRASH, Fault.GHOST)));
    }

    @Test
    void waysThatNobodyHasWalkedBefore() {
        long fresh = System.nanoTime() & 0xFFFFFF;
        for (long seed = fresh; seed < fresh + FRESH_WALKS; seed++) {
            ModelWalkTest.walk(seed);
        }
    }
}

package dev.comporta.lease;

import static dev.comporta.lease.ModelSetting.Fault.CRASH;
import static dev.comporta.lease.ModelSetting.Fault.CUT;
import static dev.comporta.lease.ModelSetting.Fault.EMPTY;
import static dev.comporta.lease.ModelSetting.Fault.GHOST;
import static dev.comporta.lease.ModelSetting.Fault.LEAVE;
import static dev.comporta.lease.ModelSetting.Fault.LOSS;
import static dev.comporta.lease.ModelSetting.Fault.OUTAGE;
import static dev.comporta.lease.ModelSetting.Fault.PAUSE;
import static dev.comporta.lease.ModelSetting.Fault.STALE;
import static dev.comporta.lease.ModelSetting.Trait.APART;
import static dev.comporta.lease.ModelSetting.Trait.AT_ONCE;
import static dev.comporta.lease.ModelSetting.Trait.CROSSING;
import static dev.comporta.lease.ModelSetting.Trait.FALLBACK;
import static dev.comporta.lease.ModelSetting.Trait.OUTLIVING;
import static dev.comporta.lease.ModelSetting.Trait.PRESSING;
import static dev.comporta.lease.ModelSetting.Trait.TARDY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Every order of everything that can happen to a small fleet. See docs/fleet.md for what is promised, and
 * {@link LargeProtocolModel} for larger worlds.
 */
@Isolated
class ProtocolModelTest {
    /** A world that got stuck would have few states, and would keep every promise. */
    private static void explore(ModelSetting setting, int atLeast) {
        assertThat(ModelRun.explore(setting).states()).isGreaterThan(atLeast);
    }

    @Test
    void threeInstancesTwoSlotsTwoFaultsOfAnyKind() {
        explore(ModelSetting.of(3, 2, 1).with(2, CRASH, PAUSE, LOSS, EMPTY), 1_000_000);
    }

    @Test
    void threeInstancesThreeSlotsAnyFault() {
        explore(ModelSetting.of(3, 3, 2).crowd(4).with(1, CRASH, PAUSE, LOSS, EMPTY, LEAVE), 1_000_000);
    }

    @Test
    void theStoreIsAwayFromAllOrFromOne() {
        explore(ModelSetting.of(2, 2, 2).with(FALLBACK).with(1, OUTAGE, CUT), 100_000);
    }

    /** It may be back when some leases have ended and others have not: the limit holds all the same. */
    @Test
    void theStoreIsAwayFromAllForAnyTime() {
        explore(ModelSetting.of(2, 2, 2).with(FALLBACK).with(TARDY).with(1, OUTAGE), 500_000);
    }

    /** Clients go on with what they have: it is counted again as soon as it can be told, and the others come down by as many. */
    @Test
    void connectionsInUseOutliveTheirLease() {
        explore(
                ModelSetting.of(2, 2, 2).with(OUTLIVING).with(FALLBACK).with(1, CRASH, PAUSE, EMPTY, OUTAGE, CUT),
                100_000);
    }

    @Test
    void callsAreCarriedOutLongAfterTheyWereGivenUp() {
        explore(ModelSetting.of(2, 1, 1).with(FALLBACK).with(2, CRASH, PAUSE, GHOST, EMPTY, OUTAGE, CUT), 100_000);
    }

    @Test
    void aReplicaThatMissedTheLastCallTakesOver() {
        explore(ModelSetting.of(2, 1, 1).with(2, STALE, CRASH, LOSS), 100_000);
    }

    @Test
    void heartbeatsAndAnnouncementsAreTardy() {
        explore(ModelSetting.of(3, 2, 1).with(TARDY).with(1, CRASH, EMPTY), 50_000);
    }

    @Test
    void callsCrossEachOther() {
        explore(ModelSetting.of(2, 1, 1).with(CROSSING).with(1, CRASH, PAUSE, EMPTY), 50_000);
    }

    @Test
    void someWantASlotAtOnceOrNotAtAll() {
        explore(ModelSetting.of(2, 2, 2).crowd(3).with(AT_ONCE).with(1, CRASH, PAUSE, LOSS, EMPTY), 100_000);
    }

    @Test
    void whatIsIdleGoesToThoseInNeed() {
        explore(ModelSetting.of(3, 2, 1).with(PRESSING).with(1, CRASH, PAUSE, LOSS, EMPTY), 50_000);
    }

    @Test
    void sharesAreFairWhenAllAreInNeed() {
        explore(ModelSetting.of(2, 2, 2).with(PRESSING).with(1, CRASH, PAUSE, LOSS, EMPTY), 100_000);
    }

    /** In a store that decides nothing: whoever reads may be overtaken before it writes, and may write after it gave up. */
    @Test
    void booksAreReadAndWrittenApart() {
        explore(ModelSetting.of(2, 1, 1).with(APART).with(1, CRASH, PAUSE, GHOST, EMPTY), 20_000);
    }

    /** One that buries by what it has read, and one that beats after its lease has ended, which must not renew it. */
    @Test
    void booksApartAndTwoOfThemAreSlow() {
        explore(ModelSetting.of(2, 1, 1).with(APART).with(2, GHOST).lease(2, 1), 20_000);
    }

    @Test
    void booksApartAndTheStoreAway() {
        explore(ModelSetting.of(2, 2, 1).with(APART).with(FALLBACK).with(1, PAUSE, GHOST, OUTAGE, CUT), 100_000);
    }
}

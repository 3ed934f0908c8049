package dev.comporta.proxy.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.Refusal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTurnsTest {
    private static final int FULL = CheckTurns.MOST_OF_ADDRESS + CheckTurns.MOST_WAITING;

    private final List<Check> begun = new ArrayList<>();
    private final List<Check> full = new ArrayList<>();
    private final List<Check> late = new ArrayList<>();
    private int share = 4;
    private boolean refusesAtOnce;
    private final CheckTurns turns = new CheckTurns(() -> share);

    private final class Check implements CheckTurns.Check {
        @Override
        public void begin() {
            begun.add(this);
            if (refusesAtOnce) {
                turns.end(this);
            }
        }

        @Override
        public void refused(Refusal why) {
            (why == Refusal.QUEUE_FULL ? full : late).add(this);
            turns.end(this);
        }
    }

    private Check take(int address, long now) {
        Check check = new Check();
        try {
            turns.take(check, InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) address}), now);
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
        return check;
    }

    private List<Check> take(int address, int count, long now) {
        List<Check> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(take(address, now));
        }
        return taken;
    }

    @Test
    void anAddressHasSoManyChecksAtOnceAndTheNextOneInTurnWhenOneEnds() {
        List<Check> crowd = take(1, CheckTurns.MOST_OF_ADDRESS + 2, 0);
        assertThat(begun).isEqualTo(crowd.subList(0, CheckTurns.MOST_OF_ADDRESS));
        turns.end(crowd.get(7));
        turns.end(crowd.get(7));
        assertThat(begun)
                .hasSize(CheckTurns.MOST_OF_ADDRESS + 1)
                .last()
                .isSameAs(crowd.get(CheckTurns.MOST_OF_ADDRESS));
        assertThat(turns.waiting()).isOne();
    }

    @Test
    void otherAddressesDoNotWaitForIt() {
        take(1, FULL, 0);
        Check other = take(2, 0);
        assertThat(begun).last().isSameAs(other);
        assertThat(full).isEmpty();
    }

    @Test
    void aSingleAddressCanUseWhateverTheBucketMayRun() {
        share = 100;
        take(1, 101, 0);
        assertThat(begun).hasSize(100);
    }

    @Test
    void whenAllPlacesAreTakenTheLargestCrowdMakesRoomForOthersOnly() {
        List<Check> crowd = take(1, FULL, 0);
        Check oneMore = take(1, 0);
        assertThat(full).containsExactly(oneMore);
        List<Check> others = take(2, CheckTurns.MOST_OF_ADDRESS + 1, 0);
        assertThat(full).containsExactly(oneMore, crowd.getLast());
        assertThat(turns.waiting()).isEqualTo(CheckTurns.MOST_WAITING);
        for (Check check : List.copyOf(begun)) {
            turns.end(check);
        }
        assertThat(begun).contains(others.getLast()).doesNotContain(crowd.getLast());
    }

    @Test
    void whoeverWaitsTooLongIsRefused() {
        take(1, CheckTurns.MOST_OF_ADDRESS, 0);
        Check early = take(1, 10);
        Check later = take(1, 20);
        turns.sweep(30, 39);
        assertThat(late).isEmpty();
        turns.sweep(30, 40);
        assertThat(late).containsExactly(early);
        turns.end(begun.getFirst());
        assertThat(begun).last().isSameAs(later);
    }

    @Test
    void aCheckWhoseClientHasLeftWhileItWaitedDoesNotBegin() {
        take(1, CheckTurns.MOST_OF_ADDRESS, 0);
        Check left = take(1, 0);
        turns.end(left);
        turns.end(begun.getFirst());
        assertThat(begun).hasSize(CheckTurns.MOST_OF_ADDRESS).doesNotContain(left);
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void thousandsThatAreRefusedAtOnceDoNotPileUpOnTheStack() {
        List<Check> crowd = take(1, FULL, 0);
        refusesAtOnce = true;
        turns.end(crowd.getFirst());
        assertThat(begun).isEqualTo(crowd);
        assertThat(turns.waiting()).isZero();
    }
}

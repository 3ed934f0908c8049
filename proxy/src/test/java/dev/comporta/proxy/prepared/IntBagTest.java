package dev.comporta.proxy.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntBagTest {
    /** Few values, and then many; it is filled and emptied in turns, and so passes its bound in both directions. */
    @Test
    void holdsWhatASetWouldHold() {
        Random random = new Random(17);
        for (int values : new int[] {3, 30, 40, 500}) {
            IntBag bag = new IntBag();
            Set<Integer> set = new HashSet<>();
            for (int step = 0; step < 5_000; step++) {
                boolean fills = step / 500 % 2 == 0;
                int value = random.nextInt(values) - values / 2;
                if (random.nextInt(10) < (fills ? 9 : 1)) {
                    bag.add(value);
                    set.add(value);
                } else {
                    bag.remove(value);
                    set.remove(value);
                }
                assertThat(bag.contains(value)).isEqualTo(set.contains(value));
                assertThat(bag.size()).isEqualTo(set.size());
            }
            assertThat(IntStream.range(0, bag.size()).mapToObj(bag::get)).containsExactlyInAnyOrderElementsOf(set);
            bag.clear();
            assertThat(bag.isEmpty()).isTrue();
        }
    }
}

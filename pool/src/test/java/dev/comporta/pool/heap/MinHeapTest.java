package dev.comporta.pool.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MinHeapTest {
    private static final class Node extends HeapNode {}

    @Test
    void smallestIsOnTopWhateverIsPutMovedOrTakenOut() {
        SplittableRandom dice = new SplittableRandom(7);
        MinHeap<Node> heap = new MinHeap<>();
        List<Node> in = new ArrayList<>();
        Map<Node, Integer> keys = new IdentityHashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int what = dice.nextInt(3);
            if (what == 2 && !in.isEmpty()) {
                Node node = in.remove(dice.nextInt(in.size()));
                keys.remove(node);
                heap.remove(node);
            } else {
                Node node = what == 1 && !in.isEmpty() ? in.get(dice.nextInt(in.size())) : new Node();
                int key = dice.nextInt(1000);
                if (keys.put(node, key) == null) {
                    in.add(node);
                }
                heap.put(node, key);
            }
            Node top = heap.peek();
            assertThat(heap.size()).isEqualTo(in.size());
            assertThat(top == null).isEqualTo(in.isEmpty());
            if (top != null) {
                assertThat(keys.get(top)).isEqualTo(Collections.min(keys.values()));
            }
        }
    }
}

package dev.comporta.pool.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MinHeapTest {
    private static final class Node extends HeapNode {}

    @Test
    void smallestIsOnTopWhateverIsPutMovedOrTakenOut() {
        SplittableRandom dice = new SplittableRandom(7);
        MinHeap<Node> heap = new MinHeap<>();
        List<Node> in = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int what = dice.nextInt(3);
            if (what == 0 || in.isEmpty()) {
                Node node = new Node();
                in.add(node);
                heap.put(node, dice.nextInt(1000));
            } else if (what == 1) {
                heap.put(in.get(dice.nextInt(in.size())), dice.nextInt(1000));
            } else {
                heap.remove(in.remove(dice.nextInt(in.size())));
            }
            Node top = heap.peek();
            assertThat(heap.size()).isEqualTo(in.size());
            assertThat(top == null).isEqualTo(in.isEmpty());
            if (top != null) {
                assertThat(in.contains(top)).isTrue();
                assertThat(top.heapKey)
                        .isEqualTo(in.stream()
                                .mapToLong(node -> node.heapKey)
                                .min()
                                .orElseThrow());
            }
        }
    }
}

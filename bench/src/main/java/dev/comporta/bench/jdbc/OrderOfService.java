package dev.comporta.bench.jdbc;

import java.util.Arrays;
import java.util.List;

/** Counts by how many later requests each request was overtaken. */
final class OrderOfService {
    private OrderOfService() {}

    /**
     * @param served the requests' numbers in order of arrival, in the order in which they were served
     * @return sorted, for each request the number of those that came after it and were served before it
     */
    static List<Integer> overtakings(int[] served) {
        int[] overtaken = new int[served.length];
        int[] tree = new int[served.length + 1]; // Fenwick tree: the number of served requests up to an index
        for (int i = 0; i < served.length; i++) {
            int number = served[i];
            overtaken[i] = i - countUpTo(tree, number);
            for (int at = number + 1; at < tree.length; at += at & -at) {
                tree[at]++;
            }
        }
        Arrays.sort(overtaken);
        return Arrays.stream(overtaken).boxed().toList();
    }

    private static int countUpTo(int[] tree, int number) {
        int count = 0;
        for (int at = number + 1; at > 0; at -= at & -at) {
            count += tree[at];
        }
        return count;
    }
}

package dev.comporta.console.eval;

import dev.comporta.console.value.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorts rows. Equal rows keep their order. */
final class Sorting {
    /** @param place of the value in the row that is sorted */
    record Key(int place, boolean descending) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Keyed(@Nullable Object[] row, @Nullable Object[] keys) {}

    private Sorting() {}

    static List<@Nullable Object[]> sorted(List<@Nullable Object[]> rows, List<Key> order) {
        if (order.isEmpty()) {
            return rows;
        }
        List<Keyed> keyed = new ArrayList<>(rows.size());
        for (@Nullable Object[] row : rows) {
            @Nullable Object[] keys = new @Nullable Object[order.size()];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = Values.sortKey(row[order.get(i).place()]);
            }
            keyed.add(new Keyed(row, keys));
        }
        keyed.sort((a, b) -> compare(a.keys(), b.keys(), order));
        List<@Nullable Object[]> sorted = new ArrayList<>(rows.size());
        keyed.forEach(each -> sorted.add(each.row()));
        return sorted;
    }

    private static int compare(@Nullable Object[] a, @Nullable Object[] b, List<Key> order) {
        for (int i = 0; i < a.length; i++) {
            int comparison = Values.orderKeys(a[i], b[i]);
            if (comparison != 0) {
                return order.get(i).descending() ? -comparison : comparison;
            }
        }
        return 0;
    }
}

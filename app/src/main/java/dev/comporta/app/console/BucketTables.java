package dev.comporta.app.console;

import dev.comporta.console.table.Table;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rows of the console's views about one bucket, cut to the size of a page.
 *
 * @param clients those with a request or a server connection first, then those that asked last
 * @param connections in the order in which they were opened
 * @param pins the oldest first
 * @param waiters the oldest first
 */
public record BucketTables(Table clients, Table connections, Table pins, Table waiters) {
    public static BucketTables of(BucketDetail all, int most) {
        BucketDetail busiest = with(
                all,
                all.clients().stream()
                        .sorted(Comparator.comparingInt(BucketTables::rank)
                                .thenComparing(Comparator.comparingLong(ClientSnapshot::lastRequestAt)
                                        .reversed())),
                most);
        BucketDetail longestPinned = with(
                all,
                all.clients().stream()
                        .filter(client -> client.pinReason() != null)
                        .sorted(Comparator.comparingLong(ClientSnapshot::pinnedSince)),
                most);
        ClientViews views = new ClientViews(() -> List.of(busiest));
        return new BucketTables(
                views.clients().read(),
                views.connections().read(),
                new ClientViews(() -> List.of(longestPinned)).pins().read(),
                views.waiters().read());
    }

    private static int rank(ClientSnapshot client) {
        return switch (client.state()) {
            case WAITING -> 0;
            case PINNED -> 1;
            case ACTIVE -> 2;
            case LOGGING_IN -> 3;
            case RESTING -> 4;
        };
    }

    private static BucketDetail with(BucketDetail all, Stream<ClientSnapshot> clients, int most) {
        return new BucketDetail(
                all.bucket(),
                all.at(),
                all.now(),
                clients.limit(most).toList(),
                all.connections().stream().limit(most).toList(),
                all.waiters().stream().limit(most).toList());
    }
}

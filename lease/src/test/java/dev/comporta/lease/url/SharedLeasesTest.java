package dev.comporta.lease.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.Announcement;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SharedLeasesTest {
    private static final String REDIS = "redis://cache";

    private final SharedLeases leases = new SharedLeases();
    private final List<SilentStore> stores = new ArrayList<>();

    /** A store that never answers. */
    private static final class SilentStore implements LeaseStore {
        final String instance;
        int closed;

        SilentStore(String instance) {
            this.instance = instance;
        }

        @Override
        public CompletionStage<LeaseReply> call(String bucket, LeaseCall call) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<LeaseReply> post(String bucket, LeaseCall call) {
            return new CompletableFuture<>();
        }

        @Override
        public void sendPosted() {}

        @Override
        public CompletionStage<ConnectPermits> connects(
                String bucket, int wanted, ConnectRateSettings rate, Duration counts) {
            return new CompletableFuture<>();
        }

        @Override
        public void listen(String bucket, Consumer<Announcement> listener) {}

        @Override
        public void ignore(String bucket) {}

        @Override
        public boolean isConnecting() {
            return true;
        }

        @Override
        public String explain(Throwable failure) {
            return "silent";
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private LeaseSource join(String url, String instance, String limit) {
        LeaseSettings me = new LeaseSettings(instance, Duration.ofSeconds(1), Duration.ofSeconds(3), true, 2);
        return leases.join(
                url,
                settings -> {
                    SilentStore store = new SilentStore(settings.instance());
                    stores.add(store);
                    return store;
                },
                me,
                limit);
    }

    @Test
    void poolsThatNameTheSameStoreShareItUntilTheLastOneEnds() {
        LeaseSource orders = join(REDIS, "a", "orders");
        LeaseSource stock = join(REDIS, "a", "stock");
        assertThat(stores).hasSize(1);
        orders.close();
        orders.close();
        assertThat(stores.getFirst().closed).isZero();
        stock.close();
        assertThat(stores.getFirst().closed).isEqualTo(1);
        assertThat(leases.memberships()).isZero();
        join(REDIS, "a", "orders").close();
        assertThat(stores).hasSize(2);
    }

    @Test
    void anotherStoreOrInstanceIsAnotherMembership() {
        join(REDIS, "a", "orders");
        join("redis://other", "a", "orders");
        join(REDIS, "b", "orders");
        assertThat(stores).extracting(s -> s.instance).containsExactly("a", "a", "b");
        assertThat(leases.memberships()).isEqualTo(3);
    }

    @Test
    void twoPoolsUnderOneLimitAreTwoInstances() {
        LeaseSource first = join(REDIS, "a", "cluster");
        LeaseSource second = join(REDIS, "a", "cluster");
        LeaseSource third = join(REDIS, "a", "cluster");
        join(REDIS, "a", "stock"); // fits into the first one
        assertThat(stores).extracting(s -> s.instance).containsExactly("a", "a+2", "a+3");
        second.close();
        first.close();
        LeaseSource again = join(REDIS, "a", "cluster");
        assertThat(stores).hasSize(3); // the first membership lives on, for the stock
        again.close();
        third.close();
        assertThat(leases.memberships()).isEqualTo(1);
    }

    @Test
    void aStoreThatCantBeOpenedLeavesNothingBehind() {
        LeaseSettings me = new LeaseSettings("a", Duration.ofSeconds(1), Duration.ofSeconds(3), true, 2);
        assertThatThrownBy(() -> leases.join(
                        REDIS,
                        _ -> {
                            throw new IllegalStateException("no");
                        },
                        me,
                        "orders"))
                .hasMessage("no");
        assertThat(leases.memberships()).isZero();
        join(REDIS, "a", "orders").close();
        assertThat(stores).hasSize(1);
    }
}

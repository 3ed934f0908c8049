package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LeasedBucket;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.SessionRecord;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease that ends between the proxy's own message and its answer: what the client wants is not sent after it. */
@Timeout(60)
class EndedLeaseTest {
    /** Always to be had, and over when somebody says so. */
    private static final class EndingLease implements LeasePort {
        private volatile BooleanSupplier over = () -> false;
        private @Nullable LeasedBucket bucket;
        private int held;

        @Override
        public int ask(int slots, Patience patience) {
            held += slots;
            return slots;
        }

        @Override
        public void withdraw(int slots) {
            throw new IllegalStateException("every ask was answered at once");
        }

        @Override
        public void giveBack(int slots) {
            held -= slots;
        }

        @Override
        public void enforce() {
            if (bucket != null && held > 0 && over.getAsBoolean()) {
                over = () -> false;
                int ended = held;
                held = 0;
                bucket.revoked(ended);
            }
        }

        EndingLease of(LeasedBucket served) {
            bucket = served;
            return this;
        }

        void endsWhenAsked(SessionRecord session) {
            long before = session.messages();
            over = () -> session.messages() > before;
        }
    }

    private final EndingLease lease = new EndingLease();

    @Test
    void aRequestWhoseConnectionWasBeingPreparedIsSentOnAnother() throws Exception {
        try (Standin server = server();
                Proxy proxy = proxy(server, BucketSpec.PoolMode.TRANSACTION);
                Connection one = connect(proxy);
                Connection two = connect(proxy)) {
            run(one, "SET DATEFIRST 3");
            assertThat(ask(two, "SELECT @@DATEFIRST")).isEqualTo("7");
            SessionRecord old = server.sessions().getFirst();
            long before = old.messages();
            lease.endsWhenAsked(old);

            assertThat(ask(one, "SELECT @@DATEFIRST")).isEqualTo("3");

            assertThat(old.messages()).as("the proxy's own message is the last").isEqualTo(before + 1);
            assertThat(server.counters().logins()).isEqualTo(2);
            assertThat(server.counters().mostSessions()).isEqualTo(1);
            assertThat(ask(two, "SELECT @@DATEFIRST")).isEqualTo("7");
        }
    }

    @Test
    void aClientThatComesInToStayGetsAnotherOne() throws Exception {
        try (Standin server = server();
                Proxy proxy = proxy(server, BucketSpec.PoolMode.SESSION)) {
            try (Connection first = connect(proxy)) {
                assertThat(ask(first, "SELECT 1")).isEqualTo("1");
            }
            SessionRecord old = server.sessions().getFirst();
            // Its first client has left, so that it is reset for the next one.
            await().until(() -> proxy.glance("one").pool().idle() == 1);
            long before = old.messages();
            lease.endsWhenAsked(old);

            try (Connection second = connect(proxy)) {
                assertThat(ask(second, "SELECT 2")).isEqualTo("2");
                assertThat(old.messages()).isEqualTo(before + 1);
                assertThat(server.counters().logins()).isEqualTo(2);
                assertThat(server.counters().mostSessions()).isEqualTo(1);
            }
        }
    }

    private static Standin server() throws Exception {
        return Standin.builder()
                .database("AppDB")
                .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                .start();
    }

    private Proxy proxy(Standin server, BucketSpec.PoolMode mode) throws Exception {
        BucketSpec bucket = ProxyFixture.bucket(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                mode,
                BucketSpec.TransactionTracking.ENVCHANGE,
                ClientLimits.NONE,
                settings -> settings.maxConnections(1).minIdle(0));
        return ProxyFixture.startProxy(bucket, (_, served) -> lease.of(served));
    }

    private static Connection connect(Proxy proxy) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + proxy.port()
                + ";databaseName=AppDB;encrypt=false;user=" + ProxyFixture.USER + ";password="
                + ProxyFixture.PASSWORD);
    }
}

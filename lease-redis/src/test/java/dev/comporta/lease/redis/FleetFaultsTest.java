package dev.comporta.lease.redis;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.testkit.CutOffRelay;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.suite.FaultsSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class FleetFaultsTest extends FaultsSuite {
    private RedisProcess redis;

    @BeforeEach
    void startRedis() throws IOException {
        redis = new RedisProcess();
    }

    @AfterEach
    void stopRedis() {
        redis.close();
    }

    private record Relayed(CutOffRelay relay) implements Way {
        @Override
        public LeaseStore connect(LeaseSettings settings, LeaseClock clock) {
            RedisEndpoint endpoint = RedisEndpoint.standalone("127.0.0.1", relay.port());
            return RedisLeaseStore.connect(settings, TestInstance.patient(endpoint, settings.timeToLive()));
        }

        @Override
        public void cut() {
            relay.cut();
        }

        @Override
        public void mend() {
            relay.mend();
        }

        @Override
        public void close() {
            relay.close();
        }
    }

    @Override
    protected Way newWay() {
        try {
            return new Relayed(new CutOffRelay(redis.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void stopStore() {
        redis.stop();
    }

    @Override
    protected void startStoreEmpty() {
        try {
            redis.startEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

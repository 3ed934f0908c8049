package dev.comporta.proxy.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.NoProgress;
import dev.comporta.tds.login.Login7Builder;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayedLoginsTest {
    private static final long DELAY_MILLIS = 4000;

    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final List<ClientHello> passedOn = new ArrayList<>();
    private final List<ClientHello> refused = new ArrayList<>();
    private final DelayedLogins delayed = new DelayedLogins(clock.eventLoop(), refused::add);

    @BeforeEach
    void stopTheClock() {
        clock.freezeTime();
    }

    private ClientHello delay(int address) {
        ClientHello client =
                new ClientHello(new EmbeddedChannel(), new Login7Builder().build(), false, false, new NoProgress());
        delayed.add(client, address(address), TimeUnit.MILLISECONDS.toNanos(DELAY_MILLIS), passedOn::add);
        return client;
    }

    private List<ClientHello> fill(int address) {
        List<ClientHello> clients = new ArrayList<>();
        while (delayed.size() < DelayedLogins.MOST) {
            clients.add(delay(address));
        }
        return clients;
    }

    private void pass(long millis) {
        clock.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        clock.runPendingTasks();
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    @Test
    void aLoginIsPassedOnAfterItsDelay() {
        ClientHello client = delay(1);
        pass(DELAY_MILLIS - 1);
        assertThat(passedOn).isEmpty();
        pass(1);
        assertThat(passedOn).containsExactly(client);
        assertThat(delayed.size()).isZero();
        assertThat(refused).isEmpty();
    }

    @Test
    void oneAddressCanHaveAllPlacesWhileNobodyElseNeedsOne() {
        fill(1);
        ClientHello oneMore = delay(1);
        assertThat(refused).containsExactly(oneMore);
    }

    @Test
    void theLatestOfTheLargestCrowdMakesRoomForOtherAddresses() {
        List<ClientHello> crowd = fill(1);
        ClientHello other = delay(2);
        assertThat(refused).containsExactly(crowd.getLast());
        pass(DELAY_MILLIS);
        assertThat(passedOn).hasSize(DelayedLogins.MOST).contains(other).doesNotContain(crowd.getLast());
    }

    @Test
    void crowdsOfTheSameSizeMakeNoRoomForEachOther() {
        while (delayed.size() < DelayedLogins.MOST) {
            delay(1);
            delay(2);
        }
        ClientHello oneMore = delay(1);
        assertThat(refused).containsExactly(oneMore);
    }

    @Test
    void aClientThatDisconnectsGivesItsPlaceBack() {
        List<ClientHello> crowd = fill(1);
        crowd.getFirst().channel().close();
        assertThat(delayed.size()).isEqualTo(DelayedLogins.MOST - 1);
        ClientHello next = delay(1);
        assertThat(refused).isEmpty();
        pass(DELAY_MILLIS);
        assertThat(passedOn).contains(next).doesNotContain(crowd.getFirst());
    }
}

package dev.comporta.proxy.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.loop.UnfinishedLogins.Turns;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnfinishedLoginsTest {
    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();
    private static final InetAddress HERE = address(1);
    private static final InetAddress THERE = address(2);

    private final List<String> begun = new ArrayList<>();
    private final List<String> timedOut = new ArrayList<>();
    private final List<String> crowdedOut = new ArrayList<>();
    private final List<String> stalled = new ArrayList<>();
    /** Those who owe the server an answer, and since when. */
    private final Map<String, Long> asked = new HashMap<>();
    /** Those who end as soon as they begin: their server is down. */
    private final Set<String> refused = new HashSet<>();

    private int most = 2;
    private final UnfinishedLogins<String> logins = new UnfinishedLogins<>(() -> most, new Turns<>() {
        @Override
        public void begin(String client) {
            begun.add(client);
            if (refused.contains(client)) {
                logins().end(client);
            }
        }

        @Override
        public void timedOut(String client) {
            timedOut.add(client);
        }

        @Override
        public void crowdedOut(String client) {
            crowdedOut.add(client);
        }

        @Override
        public long silence(String client, long now) {
            return now - asked.getOrDefault(client, now);
        }

        @Override
        public void stalled(String client) {
            stalled.add(client);
        }
    });

    private UnfinishedLogins<String> logins() {
        return logins;
    }

    @Test
    void noMoreAreUnderWayThanMayBe() {
        take(HERE, "a", "b", "c");
        assertThat(begun).containsExactly("a", "b");
        logins.end("a");
        assertThat(begun).containsExactly("a", "b", "c");
        logins.end("a");
        take(HERE, "d");
        assertThat(begun).containsExactly("a", "b", "c");
    }

    @Test
    void addressesTakeTurns() {
        take(HERE, "a", "b", "c", "d", "e");
        take(THERE, "x");
        logins.end("a");
        logins.end("b");
        assertThat(begun).containsExactly("a", "b", "c", "x");
    }

    @Test
    void oneWhoLeavesWhileItWaitsIsNotBegun() {
        take(HERE, "a", "b", "c");
        take(THERE, "x");
        logins.end("c");
        logins.end("a");
        assertThat(begun).containsExactly("a", "b", "x");
    }

    @Test
    void oneThatDoesNotGoOnMakesRoomForTheNext() {
        take(HERE, "a", "b", "c");
        asked.put("a", 0L);
        logins.check(PATIENCE, UnfinishedLogins.STALLED_NANOS - 1);
        assertThat(stalled).isEmpty();
        logins.check(PATIENCE, UnfinishedLogins.STALLED_NANOS);
        assertThat(stalled).containsExactly("a"); // for b, the server's answer has not come
        assertThat(begun).containsExactly("a", "b", "c");
    }

    @Test
    void oneThatDoesNotGoOnStaysWhereNobodyWaits() {
        take(HERE, "a", "b");
        asked.put("a", 0L);
        logins.check(PATIENCE, PATIENCE);
        assertThat(stalled).isEmpty();
    }

    @Test
    void thoseThatAreTooManyNowMakeRoomForRequests() {
        take(HERE, "a", "b");
        asked.put("a", 0L);
        asked.put("b", 0L);
        most = 1;
        logins.check(PATIENCE, UnfinishedLogins.STALLED_NANOS);
        assertThat(stalled).containsExactly("a");
    }

    @Test
    void whoWaitsForItsTurnForTooLongIsTold() {
        take(HERE, "a", "b", "c");
        take(THERE, "x");
        logins.check(PATIENCE, PATIENCE - 1);
        assertThat(timedOut).isEmpty();
        logins.check(PATIENCE, PATIENCE);
        assertThat(timedOut).containsExactly("c", "x");
        logins.end("a");
        assertThat(begun).containsExactly("a", "b");
    }

    @Test
    void oneAddressDoesNotTakeAllPlacesOfThoseWhoWait() {
        take(HERE, "a", "b");
        for (int i = 0; i < UnfinishedLogins.MOST_WAITING; i++) {
            take(HERE, "w" + i);
        }
        take(THERE, "x", "y");
        assertThat(crowdedOut).containsExactly("w999", "w998");
        assertThat(logins.take("z", HERE, 0)).isFalse();
        logins.end("a");
        logins.end("b");
        assertThat(begun).containsExactly("a", "b", "w0", "x");
    }

    @Test
    void addressesOfWhichNoMoreWaitMakeNoRoom() {
        take(HERE, "a", "b");
        for (int i = 0; i < UnfinishedLogins.MOST_WAITING; i++) {
            take(address(i), "w" + i);
        }
        assertThat(logins.take("z", address(UnfinishedLogins.MOST_WAITING), 0)).isFalse();
        assertThat(crowdedOut).isEmpty();
    }

    @Test
    void thoseWhoWaitAreBoundedAndEndOnNoDeepStack() {
        take(HERE, "a", "b");
        for (int i = 0; i < UnfinishedLogins.MOST_WAITING; i++) {
            refused.add("w" + i);
            assertThat(logins.take("w" + i, HERE, 0)).isTrue();
        }
        assertThat(logins.take("z", HERE, 0)).isFalse();
        logins.end("a");
        assertThat(begun).hasSize(2 + UnfinishedLogins.MOST_WAITING);
        assertThat(logins.take("z", THERE, 0)).isTrue();
    }

    private void take(InetAddress from, String... clients) {
        for (String client : clients) {
            assertThat(logins.take(client, from, 0)).isTrue();
        }
    }

    private static InetAddress address(int host) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, (byte) (host >> 8), (byte) host});
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

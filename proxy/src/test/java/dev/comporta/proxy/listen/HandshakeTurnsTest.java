package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.listen.HandshakeTurns.Turn;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTurnsTest {
    private static final InetAddress FLOOD = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress GOOD = InetAddress.ofLiteral("10.0.0.2");

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> begun = new ArrayList<>();
    private final Map<String, Turn> turns = new HashMap<>();
    private long now = 1;

    private HandshakeTurns of(int most) {
        HandshakeTurns turns = closed(most);
        turns.open();
        return turns;
    }

    private HandshakeTurns closed(int most) {
        return new HandshakeTurns(channel.eventLoop(), () -> now, most);
    }

    private boolean take(HandshakeTurns of, InetAddress from, String name) {
        Turn turn = new Turn(from, () -> begun.add(name));
        turns.put(name, turn);
        return of.take(turn);
    }

    private void pass(long nanos) {
        now += nanos;
        channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void onlySoManyAreUnderWayAndTheOthersFollowInTheirOrder() {
        HandshakeTurns two = of(2);
        assertThat(take(two, GOOD, "a")).isTrue();
        assertThat(take(two, GOOD, "b")).isTrue();
        assertThat(take(two, GOOD, "c")).isFalse();
        assertThat(take(two, GOOD, "d")).isFalse();
        assertThat(begun).containsExactly("a", "b");
        two.end(turns.get("b"));
        assertThat(begun).containsExactly("a", "b", "c");
        two.end(turns.get("b"));
        assertThat(begun).as("its turn ends once").hasSize(3);
        two.end(turns.get("a"));
        assertThat(begun).containsExactly("a", "b", "c", "d");
    }

    @Test
    void addressesTakeTurns() {
        HandshakeTurns one = of(1);
        take(one, FLOOD, "running");
        for (int i = 0; i < 100; i++) {
            take(one, FLOOD, "flood" + i);
        }
        take(one, GOOD, "good");
        one.end(turns.get("running"));
        one.end(turns.get("flood0"));
        assertThat(begun).containsExactly("running", "flood0", "good");
        one.end(turns.get("good"));
        assertThat(begun).last().isEqualTo("flood1");
    }

    @Test
    void oneThatLeavesGivesItsPlaceUp() {
        HandshakeTurns one = of(1);
        take(one, GOOD, "a");
        take(one, GOOD, "gone");
        take(one, GOOD, "b");
        one.end(turns.get("gone"));
        assertThat(one.waiting()).isOne();
        one.end(turns.get("a"));
        assertThat(begun).containsExactly("a", "b");
        assertThat(one.waiting()).isZero();
    }

    @Test
    void peersThatSayNothingKeepNobodyOut() {
        HandshakeTurns two = of(2);
        take(two, FLOOD, "silent1");
        pass(HandshakeTurns.STALLED_NANOS / 2);
        take(two, FLOOD, "silent2");
        take(two, GOOD, "a");
        take(two, GOOD, "b");
        pass(HandshakeTurns.STALLED_NANOS / 2 - 1);
        assertThat(begun).containsExactly("silent1", "silent2");
        pass(1);
        assertThat(begun).containsExactly("silent1", "silent2", "a");
        pass(HandshakeTurns.STALLED_NANOS / 2);
        assertThat(begun).containsExactly("silent1", "silent2", "a", "b");
        two.end(turns.get("silent1"));
        two.end(turns.get("a"));
        two.end(turns.get("b"));
        assertThat(take(two, GOOD, "c")).isTrue();
    }

    @Test
    void aloneWithPlacesLeftASlowPeerKeepsItsTurn() {
        HandshakeTurns one = of(1);
        take(one, GOOD, "slow");
        pass(10 * HandshakeTurns.STALLED_NANOS);
        assertThat(take(one, GOOD, "next")).isFalse();
        pass(0);
        assertThat(begun).containsExactly("slow", "next");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void noneBeginsBeforeTheyAreOpened(int most) {
        HandshakeTurns closed = closed(most);
        assertThat(take(closed, GOOD, "a")).isFalse();
        assertThat(take(closed, FLOOD, "gone")).isFalse();
        assertThat(take(closed, GOOD, "b")).isFalse();
        closed.end(turns.get("gone"));
        pass(2 * HandshakeTurns.STALLED_NANOS);
        assertThat(begun).isEmpty();
        closed.open();
        assertThat(begun).containsExactly("a", "b");
        assertThat(take(closed, GOOD, "c")).isTrue();
    }

    @Test
    void anyNumberWhereThereIsNoLimit() {
        HandshakeTurns any = of(0);
        for (int i = 0; i < 1000; i++) {
            assertThat(take(any, FLOOD, "" + i)).isTrue();
        }
    }
}

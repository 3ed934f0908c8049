package dev.comporta.pool.state;

import static dev.comporta.pool.state.ConnectionState.ATTACHED;
import static dev.comporta.pool.state.ConnectionState.CLOSED;
import static dev.comporta.pool.state.ConnectionState.CLOSING;
import static dev.comporta.pool.state.ConnectionState.CONNECTING;
import static dev.comporta.pool.state.ConnectionState.LEASING;
import static dev.comporta.pool.state.ConnectionState.LOGGING_IN;
import static dev.comporta.pool.state.ConnectionState.PINNED;
import static dev.comporta.pool.state.ConnectionState.RATE_LIMITED;
import static dev.comporta.pool.state.ConnectionState.READY;
import static dev.comporta.pool.state.ConnectionState.RESETTING;
import static dev.comporta.pool.state.ConnectionState.VALIDATING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {
    /** The whole table, written a second time: a change of the one without the other is seen. */
    private static Map<ConnectionState, Set<ConnectionState>> table() {
        Map<ConnectionState, Set<ConnectionState>> next = new EnumMap<>(ConnectionState.class);
        next.put(LEASING, EnumSet.of(RATE_LIMITED, CLOSED));
        next.put(RATE_LIMITED, EnumSet.of(CONNECTING, CLOSED));
        next.put(CONNECTING, EnumSet.of(LOGGING_IN, CLOSING, CLOSED));
        next.put(LOGGING_IN, EnumSet.of(READY, CLOSING, CLOSED));
        next.put(READY, EnumSet.of(ATTACHED, RESETTING, VALIDATING, CLOSING, CLOSED));
        next.put(ATTACHED, EnumSet.of(READY, PINNED, RESETTING, VALIDATING, CLOSING, CLOSED));
        next.put(PINNED, EnumSet.of(ATTACHED, RESETTING, CLOSING, CLOSED));
        next.put(RESETTING, EnumSet.of(READY, VALIDATING, CLOSING, CLOSED));
        next.put(VALIDATING, EnumSet.of(READY, RESETTING, CLOSING, CLOSED));
        next.put(CLOSING, EnumSet.of(CLOSED));
        next.put(CLOSED, EnumSet.noneOf(ConnectionState.class));
        return next;
    }

    @Test
    void everyPairOfStatesIsAllowedOrForbiddenAsTheTableSays() {
        Map<ConnectionState, Set<ConnectionState>> table = table();
        assertThat(table.keySet()).containsExactly(ConnectionState.values());
        for (ConnectionState from : ConnectionState.values()) {
            for (ConnectionState to : ConnectionState.values()) {
                assertThat(from.mayBecome(to))
                        .as("%s → %s", from, to)
                        .isEqualTo(table.get(from).contains(to));
            }
        }
    }

    @Test
    void everyStateCanEndAndNoneCanBeginAgain() {
        for (ConnectionState state : ConnectionState.values()) {
            assertThat(state.mayBecome(LEASING)).as("%s → LEASING", state).isFalse();
            assertThat(state == CLOSED || state.mayBecome(CLOSED))
                    .as("%s → CLOSED", state)
                    .isTrue();
        }
    }
}

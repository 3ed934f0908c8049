package dev.comporta.proxy.relay.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.prepared.IntBag;
import org.junit.jupiter.api.Test;

class PinBookTest {
    private final PinBook pins = new PinBook();

    @Test
    void nothingPinsAtFirst() {
        assertThat(pins.reason()).isNull();
    }

    @Test
    void aCursorPinsUntilItIsClosed() {
        pins.cursor(1);
        pins.cursor(2);
        pins.cursor(2);
        pins.closed(bag(1));
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
        pins.closed(bag(2));
        assertThat(pins.reason()).isNull();
    }

    @Test
    void moreCursorsThanAreKeptPinUntilTheReset() {
        IntBag all = new IntBag();
        for (int handle = 1; handle <= PinBook.MOST_CURSORS + 1; handle++) {
            pins.cursor(handle);
            all.add(handle);
        }
        pins.closed(all);
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
        pins.clear();
        assertThat(pins.reason()).isNull();
    }

    @Test
    void aBulkLoadPinsForOneRequest() {
        pins.bulkAnnounced(true);
        assertThat(pins.reason()).isEqualTo(PinReason.BULK_LOAD);
        pins.bulkAnnounced(false);
        assertThat(pins.reason()).isNull();
    }

    @Test
    void aResultPinsUntilTheNextRequestHasLeftNone() {
        pins.resultLeft(true);
        assertThat(pins.reason()).isEqualTo(PinReason.RESULT);
        pins.resultLeft(false);
        assertThat(pins.reason()).isNull();
    }

    @Test
    void theReasonThatLastsLongestIsNamedAndAResetEndsAll() {
        pins.cursor(2);
        pins.untilReset(PinReason.TEMPORARY_TABLE);
        pins.untilReset(PinReason.ROLE);
        assertThat(pins.reason()).isEqualTo(PinReason.TEMPORARY_TABLE);
        pins.clear();
        assertThat(pins.reason()).isNull();
    }

    private static IntBag bag(int... values) {
        IntBag bag = new IntBag();
        for (int value : values) {
            bag.add(value);
        }
        return bag;
    }
}

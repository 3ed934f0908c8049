package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import org.junit.jupiter.api.Test;

class PinBookTest {
    private final PinBook pins = new PinBook();

    @Test
    void nothingPinsAtFirst() {
        assertThat(pins.reason()).isNull();
    }

    @Test
    void aHandlePinsUntilItIsGivenBack() {
        pins.preparedHandle(1);
        pins.preparedHandle(2);
        pins.preparedHandle(2);
        pins.gaveBack(bag(1), bag());
        assertThat(pins.reason()).isEqualTo(PinReason.PREPARED_STATEMENT);
        pins.gaveBack(bag(2), bag());
        assertThat(pins.reason()).isNull();
    }

    @Test
    void aCursorIsNotGivenBackByAStatementsHandleOfTheSameNumber() {
        pins.cursor(1);
        pins.gaveBack(bag(1), bag());
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
        pins.gaveBack(bag(), bag(1));
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
        pins.preparedHandle(1);
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

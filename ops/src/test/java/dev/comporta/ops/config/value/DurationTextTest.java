package dev.comporta.ops.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

class DurationTextTest {
    @Property
    void whatIsWrittenIsReadAgain(@ForAll @LongRange(min = 0, max = 9_000_000_000_000_000L) long micros)
            throws BadValue {
        Duration duration = Duration.ofNanos(micros * 1_000);
        assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
    }

    @Property
    void partsAreAddedUp(
            @ForAll @IntRange(max = 999) int hours,
            @ForAll @IntRange(max = 999) int minutes,
            @ForAll @IntRange(max = 999) int seconds,
            @ForAll @IntRange(max = 9999) int millis)
            throws BadValue {
        assertThat(DurationText.parse(hours + "h" + minutes + "m" + seconds + "s" + millis + "ms"))
                .isEqualTo(Duration.ofHours(hours)
                        .plusMinutes(minutes)
                        .plusSeconds(seconds)
                        .plusMillis(millis));
    }

    @Property
    void anyOtherTextIsRefusedAndNothingElseIsThrown(@ForAll @StringLength(max = 12) String text) {
        try {
            assertThat(DurationText.parse(text).isNegative()).isFalse();
            assertThat(text).matches("0|([0-9]+(us|ms|s|m|h|d))+");
        } catch (BadValue refused) {
            assertThat(refused.what()).isNotBlank().doesNotContain("\n");
            assertThat(refused.advice()).endsWith(".");
        }
    }

    @Example
    void unitsAreThoseThatPeopleWrite() throws BadValue {
        assertThat(DurationText.parse("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(DurationText.parse("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(DurationText.parse("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(DurationText.parse("2d")).isEqualTo(Duration.ofHours(48));
        assertThat(DurationText.parse("5us")).isEqualTo(Duration.ofNanos(5_000));
        assertThat(DurationText.parse("0")).isEqualTo(Duration.ZERO);
    }

    @Example
    void numberWithoutUnitIsRefusedWithWhatToWrite() {
        assertThatThrownBy(() -> DurationText.parse("30"))
                .hasMessage("has no unit. Write 30s for seconds, or ms, m or h.");
    }
}

package dev.comporta.console.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.comporta.console.table.ColumnType;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConversionTest {
    @ParameterizedTest
    @CsvSource({
        "' 42 ', INT, 42",
        "'', INT, 0",
        "-1, BIGINT, -1",
        "1e3, FLOAT, 1000.0",
        "TRUE, BIT, true",
        "false, BIT, false",
        "2, BIT, true",
        "2026-11-17, DATETIME2, 2026-11-17T00:00",
        "2026-11-17 12:30, DATETIME2, 2026-11-17T12:30",
        "2026-11-17T12:30:15.25, DATETIME2, 2026-11-17T12:30:15.250",
        "2026-11-17T12:30:15Z, DATETIME2, 2026-11-17T12:30:15",
    })
    void textBecomesAnyType(String text, ColumnType type, String value) {
        Object converted = Conversion.convert(text, type);
        assertThat(type.accepts(converted)).isTrue();
        assertThat(String.valueOf(converted)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "1.5, INT, 245",
        "abc, BIGINT, 245",
        "99999999999, INT, 8115",
        "x, FLOAT, 8114",
        "1e999, FLOAT, 8115",
        "maybe, BIT, 8114",
        "17.11.2026, DATETIME2, 241",
        "2026-13-01, DATETIME2, 241",
    })
    void textThatDoesNotFitIsRefused(String text, ColumnType type, int number) {
        assertThat(catchThrowableOfType(ValueException.class, () -> Conversion.convert(text, type))
                        .number())
                .isEqualTo(number);
    }

    @Test
    void timesAreWrittenWithTheDecimalsTheyHave() {
        LocalDateTime time = LocalDateTime.parse("2026-11-17T12:30:15.250");
        assertThat(Conversion.text(time)).isEqualTo("2026-11-17 12:30:15.25");
        assertThat(Conversion.text(time.withNano(0))).isEqualTo("2026-11-17 12:30:15");
        assertThat(Conversion.time(time, 'T')).isEqualTo("2026-11-17T12:30:15.25");
    }

    @Test
    void timesAndNumbersDoNotMix() {
        assertThat(catchThrowableOfType(
                                ValueException.class,
                                () -> Conversion.convert(LocalDateTime.of(2026, 1, 1, 0, 0), ColumnType.INT))
                        .number())
                .isEqualTo(529);
        assertThat(catchThrowableOfType(ValueException.class, () -> Conversion.convert(5, ColumnType.DATETIME2))
                        .number())
                .isEqualTo(529);
    }

    @Test
    void caseAndTrailingSpacesDoNotCount() {
        assertThat(Collation.compare("abc", "ABC  ")).isZero();
        assertThat(Collation.key("ÄbC ")).isEqualTo(Collation.key("äBc"));
        assertThat(Collation.compare("a", "á")).isNotZero();
        assertThat(Collation.compare("a", "ab")).isNegative();
        assertThat(Collation.compare("B", "a")).isPositive();
    }
}

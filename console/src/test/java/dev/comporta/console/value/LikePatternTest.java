package dev.comporta.console.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikePatternTest {
    @ParameterizedTest
    @CsvSource({
        "abc, abc, true",
        "ABC, abc, true",
        "abc, a%, true",
        "abc, %c, true",
        "abc, %b%, true",
        "abc, a_c, true",
        "abc, a_, false",
        "abc, %%%, true",
        "'', %, true",
        "'', _, false",
        "abc, [a-c]bc, true",
        "abc, [^a-c]bc, false",
        "dbc, [^a-c]bc, true",
        "ABC, [a-c]bc, true",
        "a%c, a[%]c, true",
        "abc, a[%]c, false",
        "a-c, a[b-]c, true",
        "a]c, a[]]c, true",
        "'a[c', 'a[[]c', true",
        "'a[c', 'a[c', false",
        "'abc  ', abc, true",
        "abc, 'abc ', false",
        "aab, %ab, true",
        "abab, %ab, true",
    })
    void matchesAsTSql(String text, String pattern, boolean matches) {
        assertThat(LikePattern.of(pattern, null).matches(text)).isEqualTo(matches);
    }

    @Test
    void escapedCharactersStandForThemselves() {
        assertThat(LikePattern.of("50!%", '!').matches("50%")).isTrue();
        assertThat(LikePattern.of("50!%", '!').matches("500")).isFalse();
        assertThat(LikePattern.of("a!!b", '!').matches("a!b")).isTrue();
    }

    @Property(tries = 500)
    void agreesWithARegularExpression(
            @ForAll @Chars({'a', 'b', '_', '%'}) @StringLength(max = 8) String pattern,
            @ForAll @Chars({'a', 'b'}) @StringLength(max = 8) String text) {
        String regex = pattern.replace("%", ".*").replace("_", ".");
        assertThat(LikePattern.of(pattern, null).matches(text)).isEqualTo(Pattern.matches(regex, text));
    }

    @Test
    void manyPercentSignsDoNotTakeForever() {
        String pattern = "%a".repeat(2_000) + "b";
        String text = "a".repeat(20_000);
        Assertions.assertTimeout(
                Duration.ofSeconds(5),
                () -> assertThat(LikePattern.of(pattern, null).matches(text)).isFalse());
    }
}

package dev.comporta.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.standin.control.Misbehaviour;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MisbehaviourParseTest {
    @Test
    void everyWordIsUnderstood() {
        assertThat(Misbehaviour.parse("slow=200ms, slow-logins=2s, refuse-logins, dead-port, drop-connections,"
                        + "stop-reading, garbage, cut-after=1000, logins-per-second=5, silent-transactions,"
                        + "refuse-bulk-loads, slow-ends=3s, max-user-connections=7, full-error=10928"))
                .isEqualTo(new Misbehaviour(
                        Duration.ofMillis(200),
                        Duration.ofSeconds(2),
                        true,
                        true,
                        true,
                        true,
                        true,
                        1000,
                        5,
                        true,
                        true,
                        Duration.ofSeconds(3),
                        7,
                        10928));
    }

    @ParameterizedTest
    @CsvSource({"slow=3ms, 3", "slow=4s, 4000", "slow=1m, 60000"})
    void durationsHaveUnits(String specification, long millis) {
        assertThat(Misbehaviour.parse(specification).slow()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void noneIsNone() {
        assertThat(Misbehaviour.parse("none")).isEqualTo(Misbehaviour.NONE);
        assertThat(Misbehaviour.NONE)
                .isEqualTo(new Misbehaviour(
                        Duration.ZERO,
                        Duration.ZERO,
                        false,
                        false,
                        false,
                        false,
                        false,
                        Misbehaviour.NEVER,
                        0,
                        false,
                        false,
                        Duration.ZERO,
                        0,
                        17809));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fast",
                "slow",
                "slow=",
                "slow=3",
                "slow=3h",
                "refuse-logins=yes",
                "cut-after=-1",
                "garbage,,"
            })
    void whatIsWrongIsNamed(String specification) {
        String[] words = specification.split(",", -1);
        assertThatThrownBy(() -> Misbehaviour.parse(specification))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + words[words.length - 1] + "'");
    }
}

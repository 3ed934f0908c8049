package dev.comporta.ops.config.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HiddenTextTest {
    private record Holder(String name, HiddenText password) {}

    @Test
    void secretIsNotPrintedByItselfNorByWhatHoldsIt() {
        HiddenText secret = HiddenText.of("hunter2");
        assertThat(secret.toString()).isEqualTo("********");
        assertThat(new Holder("web", secret).toString()).doesNotContain("hunter2");
        assertThat("value: %s".formatted(secret)).doesNotContain("hunter2");
        assertThat(secret.reveal()).isEqualTo("hunter2");
    }

    @Test
    void secretsAreEqualByTheirValue() {
        assertThat(HiddenText.of("a")).isEqualTo(HiddenText.of("a")).hasSameHashCodeAs(HiddenText.of("a"));
        assertThat(HiddenText.of("a")).isNotEqualTo(HiddenText.of("b")).isNotEqualTo("a");
    }
}

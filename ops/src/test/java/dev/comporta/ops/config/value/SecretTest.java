package dev.comporta.ops.config.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTest {
    private record Holder(String name, Secret password) {}

    @Test
    void secretIsNotPrintedByItselfNorByWhatHoldsIt() {
        Secret secret = Secret.of("hunter2");
        assertThat(secret.toString()).isEqualTo("********");
        assertThat(new Holder("web", secret).toString()).doesNotContain("hunter2");
        assertThat("value: %s".formatted(secret)).doesNotContain("hunter2");
        assertThat(secret.reveal()).isEqualTo("hunter2");
    }

    @Test
    void secretsAreEqualByTheirValue() {
        assertThat(Secret.of("a")).isEqualTo(Secret.of("a")).hasSameHashCodeAs(Secret.of("a"));
        assertThat(Secret.of("a")).isNotEqualTo(Secret.of("b")).isNotEqualTo("a");
    }
}

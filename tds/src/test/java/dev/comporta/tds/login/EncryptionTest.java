package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption.Answer;
import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.login.Encryption.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptionTest {
    @ParameterizedTest
    @CsvSource({
        "OFF,           NOT_SUPPORTED, NOT_SUPPORTED, PLAIN",
        "ON,            NOT_SUPPORTED, NOT_SUPPORTED, REFUSED",
        "NOT_SUPPORTED, NOT_SUPPORTED, NOT_SUPPORTED, PLAIN",
        "REQUIRED,      NOT_SUPPORTED, NOT_SUPPORTED, REFUSED",
        "OFF,           OPTIONAL,      OFF,           LOGIN_ONLY",
        "ON,            OPTIONAL,      ON,            FULL",
        "NOT_SUPPORTED, OPTIONAL,      NOT_SUPPORTED, PLAIN",
        "REQUIRED,      OPTIONAL,      ON,            FULL",
        "OFF,           REQUIRED,      REQUIRED,      FULL",
        "ON,            REQUIRED,      ON,            FULL",
        "NOT_SUPPORTED, REQUIRED,      REQUIRED,      REFUSED",
        "REQUIRED,      REQUIRED,      ON,            FULL",
    })
    void serverAnswersByItsPolicy(Encryption client, Policy policy, Encryption reply, Outcome outcome) {
        assertThat(Encryption.answer(client, policy)).isEqualTo(new Answer(reply, outcome));
    }

    @ParameterizedTest
    @CsvSource({
        "OFF,           OFF,           LOGIN_ONLY",
        "OFF,           ON,            FULL",
        "OFF,           NOT_SUPPORTED, PLAIN",
        "OFF,           REQUIRED,      FULL",
        "ON,            OFF,           REFUSED",
        "ON,            ON,            FULL",
        "ON,            NOT_SUPPORTED, REFUSED",
        "ON,            REQUIRED,      FULL",
        "NOT_SUPPORTED, OFF,           REFUSED",
        "NOT_SUPPORTED, ON,            REFUSED",
        "NOT_SUPPORTED, NOT_SUPPORTED, PLAIN",
        "NOT_SUPPORTED, REQUIRED,      REFUSED",
        "REQUIRED,      OFF,           REFUSED",
        "REQUIRED,      ON,            FULL",
        "REQUIRED,      NOT_SUPPORTED, REFUSED",
        "REQUIRED,      REQUIRED,      FULL",
    })
    void clientConcludesFromTheAnswer(Encryption asked, Encryption answered, Outcome outcome) {
        assertThat(Encryption.outcome(asked, answered)).isEqualTo(outcome);
    }

    @ParameterizedTest
    @EnumSource(Encryption.class)
    void bothSidesComeToTheSameConclusion(Encryption asked) {
        for (Policy policy : Policy.values()) {
            Answer answer = Encryption.answer(asked, policy);
            assertThat(Encryption.outcome(asked, answer.reply())).isEqualTo(answer.outcome());
        }
    }

    @ParameterizedTest
    @EnumSource(Encryption.class)
    void flagsOfClientCertificatesDoNotChangeTheValue(Encryption value) {
        assertThat(Encryption.of(value.code())).isEqualTo(value);
        assertThat(Encryption.of(value.code() | 0x80)).isEqualTo(value);
        assertThat(Encryption.of((byte) (value.code() | 0xA0))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 0x10, 0x44, 0xFF})
    void unknownValueIsAProtocolError(int code) {
        assertThatThrownBy(() -> Encryption.of(code)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void tablesAreWhole() {
        assertThat(Encryption.values()).hasSize(4);
        assertThat(Policy.values()).hasSize(3);
    }
}

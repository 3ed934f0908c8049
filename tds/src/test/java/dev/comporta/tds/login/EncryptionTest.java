package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption.Answer;
import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.login.Encryption.Policy;
import java.util.List;
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
    @CsvSource({
        "OFF, NOT_SUPPORTED, NOT_SUPPORTED, PLAIN",
        "OFF, OPTIONAL,      REQUIRED,      FULL",
        "OFF, REQUIRED,      REQUIRED,      FULL",
        "ON,  OPTIONAL,      ON,            FULL",
    })
    void jtdsIsNeverLeftToEndTls(Encryption asked, Policy policy, Encryption reply, Outcome outcome) {
        assertThat(Encryption.answer(jtds(asked).build(), policy)).isEqualTo(new Answer(reply, outcome));
    }

    @Test
    void clientThatIsNotQuiteJtdsMayEndTlsAfterItsLogin() {
        Answer loginOnly = new Answer(Encryption.OFF, Outcome.LOGIN_ONLY);
        Prelogin otherThread = prelogin(8, Encryption.OFF, 1, 2, 0, 1).build();
        Prelogin otherVersion = prelogin(9, Encryption.OFF, 1, 2, 0, 0).build();
        Prelogin otherOptions = jtds(Encryption.OFF).mars(false).build();
        Prelogin noThread = Prelogin.builder(otherThread.version())
                .encryption(Encryption.OFF)
                .build();
        for (Prelogin client : List.of(otherThread, otherVersion, otherOptions, noThread)) {
            assertThat(Encryption.answer(client, Policy.OPTIONAL)).isEqualTo(loginOnly);
        }
    }

    /** As jTDS 1.3.1 sends it. */
    private static Prelogin.Builder jtds(Encryption encryption) {
        return prelogin(8, encryption, 1, 2, 0, 0);
    }

    private static Prelogin.Builder prelogin(int major, Encryption encryption, int... thread) {
        byte[] fourBytes = new byte[thread.length];
        for (int i = 0; i < thread.length; i++) {
            fourBytes[i] = (byte) thread[i];
        }
        return Prelogin.builder(new Prelogin.Version(major, 0, 341, 0))
                .encryption(encryption)
                .instance("")
                .threadId(fourBytes);
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

package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.1.0-13-amd64", "6.18.44-fc", "7.0.0", "10.2"})
    void ioUringIsTrustedOnKernelsThatGrewUpWithIt(String kernel) {
        assertThat(Transport.isSeasoned(kernel)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.0.9", "5.15.0-91-generic", "4.14.336", "24", "", "unknown"})
    void butNotOnOthers(String kernel) {
        assertThat(Transport.isSeasoned(kernel)).isFalse();
    }

    @Test
    void theBestIsOneThatThereIs() {
        assertThat(Transport.best().isAvailable()).isTrue();
        assertThat(Transport.best().whyNotAvailable()).isEmpty();
    }
}

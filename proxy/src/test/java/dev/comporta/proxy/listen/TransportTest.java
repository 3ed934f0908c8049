package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransportTest {
    @Test
    void theBestIsOneThatThereIs() {
        assertThat(Transport.best().isAvailable()).isTrue();
        assertThat(Transport.best().whyNotAvailable()).isEmpty();
        assertThat(Transport.best()).as("moves between event loops").isNotEqualTo(Transport.IO_URING);
    }
}

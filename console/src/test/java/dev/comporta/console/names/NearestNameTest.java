package dev.comporta.console.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    private static final List<String> NAMES =
            List.of("listen_addr", "listen_port", "max_connections", "max_idle_time", "min_idle", "id", "tls");

    @ParameterizedTest
    @CsvSource({
        "listen_prot, listen_port",
        "listenPort, listen_port",
        "LISTEN-PORT, listen_port",
        "max_conns, max_connections",
        "maxconnection, max_connections",
        "minidle, min_idle",
        "ids, id",
        "tsl, tls"
    })
    void nameThatWasMeantIsFound(String typed, String meant) {
        assertThat(NearestName.among(NAMES, typed)).contains(meant);
    }

    @Test
    void farFetchedGuessIsNotMade() {
        assertThat(NearestName.among(NAMES, "zebra")).isEmpty();
        assertThat(NearestName.among(NAMES, "x")).isEmpty();
        assertThat(NearestName.among(List.of(), "id")).isEmpty();
    }

    @Test
    void swappedLettersCountAsOneSlip() {
        assertThat(NearestName.distance("prot", "port")).isEqualTo(1);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    }
}

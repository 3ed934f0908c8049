package dev.comporta.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpRequestTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip|true",
                "GZip|true",
                "deflate, gzip;q=0.5|true",
                "br;q=1.0, gzip; q=0.001, *;q=0|true",
                "gzip;q=0|false",
                "gzip; q=0.000|false",
                "deflate|false",
                "xgzip|false",
                "identity|false",
                "''|false"
            })
    void gzipIsAcceptedWhereItIsNamedAndNotRuledOut(String header, boolean accepted) {
        HttpRequest request = new HttpRequest("GET", "/metrics", Map.of("accept-encoding", header), true);
        assertThat(request.acceptsGzip()).isEqualTo(accepted);
    }

    @Test
    void whoSaysNothingGetsItPlain() {
        assertThat(new HttpRequest("GET", "/metrics", Map.of(), true).acceptsGzip())
                .isFalse();
    }
}

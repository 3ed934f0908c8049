package dev.comporta.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpRequestTest {
    private static HttpRequest request(Map<String, String> headers) {
        return new HttpRequest("GET", "/metrics", Map.of(), headers, new byte[0], "10.0.0.1", Map.of());
    }

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
        HttpRequest request = request(Map.of("accept-encoding", header));
        assertThat(request.acceptsGzip()).isEqualTo(accepted);
    }

    @Test
    void whoSaysNothingGetsItPlain() {
        assertThat(request(Map.of()).acceptsGzip()).isFalse();
    }
}

package dev.comporta.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminAddressTest {
    @ParameterizedTest
    @CsvSource({
        "localhost:8080, http://localhost:8080/api/v1/sql",
        "proxy-1, http://proxy-1:8080/api/v1/sql",
        "https://proxy-1, https://proxy-1:8080/api/v1/sql",
        "https://proxy-1:443/, https://proxy-1:443/api/v1/sql",
        "10.0.0.7:9000, http://10.0.0.7:9000/api/v1/sql",
        "[::1]:8080, http://[::1]:8080/api/v1/sql"
    })
    void anAddressIsAHostAndPerhapsAPortAndAScheme(String text, String sql) {
        AdminAddress address = AdminAddress.parse(text);
        assertThat(address.sql()).hasToString(sql);
        assertThat(address.shown()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", ":8080", "ftp://host", "host:port", "host/path", "me@host", "host?x=1", "two hosts"})
    void anythingElseIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> AdminAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as localhost:8080");
    }
}

package dev.comporta.lease.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.lease.url.StoreLocator;
import dev.comporta.lease.url.StoreUrl;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamoStoreProviderTest {
    private static DynamoEndpoint read(String url) {
        return DynamoStoreProvider.endpoint(StoreUrl.of(url));
    }

    @Test
    void aTableIsEnoughAndEveryOptionHasTheProxysName() {
        DynamoEndpoint least = read("dynamodb:slots");
        assertThat(least.table()).isEqualTo("slots");
        assertThat(least.region()).isEmpty();
        assertThat(least.endpoint()).isEmpty();
        assertThat(least.createTable()).isTrue();
        DynamoEndpoint all = read("dynamodb:slots?region=eu-west-1&endpoint=http://127.0.0.1:8000&create_table=false");
        assertThat(all.region()).contains("eu-west-1");
        assertThat(all.endpoint()).contains(URI.create("http://127.0.0.1:8000"));
        assertThat(all.createTable()).isFalse();
        assertThat(StoreLocator.find("dynamodb:slots")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dynamodb:|write dynamodb:TABLE",
                "dynamodb://slots|is not a table name that DynamoDB allows: write dynamodb:TABLE",
                "dynamodb:slots?table=x|there is no option 'table': use create_table, endpoint, region",
                "dynamodb:slots?endpoint=localhost|endpoint is 'localhost': set an address such as",
                "dynamodb:slots?create_table=1|create_table is '1': set true or false"
            })
    void whatIsWrongIsSaidAndWhatToWrite(String url, String error) {
        assertThatThrownBy(() -> read(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(error);
    }
}

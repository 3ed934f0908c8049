package dev.comporta.lease.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No store is on the class path of these tests. */
class StoreLocatorTest {
    @ParameterizedTest
    @CsvSource({
        "redis://cache:6379, comporta-lease-redis",
        "REDISS://cache, comporta-lease-redis",
        "dynamodb:slots?region=eu-west-1, comporta-lease-dynamodb"
    })
    void aStoreThatIsNotOnTheClassPathIsNamedByItsArtifact(String url, String artifact) {
        assertThatThrownBy(() -> StoreLocator.find(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("its store is not on the class path: add the artifact dev.comporta:" + artifact);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "etcd://cache:2379|there is no store 'etcd': set local, redis://HOST:6379 or dynamodb:TABLE",
                "cache|it is not a URL: set local, redis://HOST:6379 or dynamodb:TABLE",
                "redis://cache?mode|option 'mode' has no value: write NAME=VALUE",
                "redis://cache?key_prefix=%zz|a '%' is followed by something else than two hexadecimal digits: write %25"
            })
    void whatIsWrongWithAUrlIsSaidAndWhatToWrite(String url, String error) {
        assertThatThrownBy(() -> StoreLocator.find(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(error);
    }

    @Test
    void optionsAreDecodedAndPasswordsAreNotShown() {
        StoreUrl url = StoreUrl.of("redis://ana:s%40crt@cache:6379/2?key_prefix=a%26b+c");
        assertThat(url.body()).isEqualTo("//ana:s%40crt@cache:6379/2");
        assertThat(url.option("key_prefix")).contains("a&b+c");
        assertThat(StoreUrl.withoutSecrets("redis://ana:secret@cache:6379")).isEqualTo("redis://ana:***@cache:6379");
        assertThat(StoreUrl.withoutSecrets("redis://:secret@cache")).isEqualTo("redis://:***@cache");
    }
}

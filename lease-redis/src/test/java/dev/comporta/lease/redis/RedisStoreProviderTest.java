package dev.comporta.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.lease.url.StoreLocator;
import dev.comporta.lease.url.StoreUrl;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisStoreProviderTest {
    private static RedisEndpoint read(String url) {
        return RedisStoreProvider.endpoint(StoreUrl.of(url));
    }

    @Test
    void aHostIsEnough() {
        assertThat(read("redis://cache")).isEqualTo(RedisEndpoint.standalone("cache", 6379));
        assertThat(StoreLocator.find("redis://cache")).isNotNull();
    }

    @Test
    void everyPartHasItsPlace() {
        RedisEndpoint all =
                read("rediss://ana:s%40crt@[::1]:7000,cache-2/?mode=sentinel&sentinel_master=m&key_prefix=team");
        assertThat(all.mode()).isEqualTo(RedisEndpoint.Mode.SENTINEL);
        assertThat(all.addresses())
                .isEqualTo(List.of(new RedisEndpoint.Address("::1", 7000), new RedisEndpoint.Address("cache-2", 6379)));
        assertThat(all.sentinelMaster()).contains("m");
        assertThat(all.credentials()).isEqualTo(Optional.of(new RedisEndpoint.Credentials("ana", "s@crt")));
        assertThat(all.keyPrefix()).isEqualTo("team");
        assertThat(all.tls()).isEqualTo(new RedisEndpoint.Tls(true, false, Optional.empty()));
        assertThat(read("redis://:p@cache/3").database()).isEqualTo(3);
        assertThat(read("redis://:p@cache").credentials())
                .isEqualTo(Optional.of(new RedisEndpoint.Credentials("", "p")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis:cache|write redis://HOST:6379",
                "redis://|the host is missing",
                "redis://cache:x|the port is 'x': set a number from 1 to 65535",
                "redis://cache:70000|the port is '70000'",
                "redis://cache/x|the database is 'x': set its number",
                "redis://a,b|add mode=cluster or mode=sentinel",
                "redis://a?mode=ring|set one of standalone, sentinel, cluster",
                "redis://a?mode=sentinel|add sentinel_master=NAME",
                "redis://a/1?mode=cluster|remove /1",
                "redis://ana@a|write USER:PASSWORD@",
                "redis://a?prefix=x|there is no option 'prefix': use ca_file, key_prefix, mode",
                "redis://a?ca_file=/x|write rediss://",
                "rediss://a?ca_file=/no/such.pem|ca_file /no/such.pem can't be read",
                "rediss://a?trust_server_certificate=maybe|trust_server_certificate is 'maybe': set true or false"
            })
    void whatIsWrongIsSaidAndWhatToWrite(String url, String error) {
        assertThatThrownBy(() -> read(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(error);
    }
}

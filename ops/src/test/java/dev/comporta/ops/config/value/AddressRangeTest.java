package dev.comporta.ops.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3",
        "10.1.2.3/32, 10.1.2.3",
        "10.1.0.0/16, 10.1.0.0/16",
        "0.0.0.0/0, 0.0.0.0/0",
        "2001:db8::1, 2001:db8:0:0:0:0:0:1",
        "2001:DB8::/32, 2001:db8:0:0:0:0:0:0/32",
        "::/0, 0:0:0:0:0:0:0:0/0",
        "::ffff:10.1.2.3, 10.1.2.3",
        "::ffff:10.1.0.0/112, 10.1.0.0/16",
    })
    void addressOrRangeIsRead(String written, String read) throws BadValue {
        assertThat(AddressRange.parse(written)).hasToString(read);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.1",
                "10.1.2",
                "10.1.2.256",
                "10.01.2.3",
                "10.1.2.3.4",
                "localhost",
                "10.1.2.3:1433",
                "10.1.0.0/",
                "10.1.0.0/x",
                "[::1]",
                "fe80::1%lo",
                "2001:db8::1::2",
                "1:2:3",
                "*",
                "10.1.*"
            })
    void whatIsNoAddressIsToldSo(String written) {
        assertThatThrownBy(() -> AddressRange.parse(written))
                .isInstanceOf(BadValue.class)
                .hasMessageContaining("is not an address")
                .hasMessageContaining("10.1.0.0/16");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.0/33", "2001:db8::/129", "::ffff:10.1.0.0/95"})
    void prefixIsNoLongerThanTheAddress(String written) {
        assertThatThrownBy(() -> AddressRange.parse(written)).hasMessageContaining("prefix out of range");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3/16", "10.1.2.3/31", "10.0.0.0/6", "2001:db8::1/32", "0.0.0.1/0"})
    void rangeBeginsWithItsFirstAddress(String written) {
        assertThatThrownBy(() -> AddressRange.parse(written)).hasMessageContaining("bits behind its prefix");
    }
}

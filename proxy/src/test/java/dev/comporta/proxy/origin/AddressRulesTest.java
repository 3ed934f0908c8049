package dev.comporta.proxy.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRulesTest {
    private static AddressRange range(String text) {
        String[] parts = text.split("/");
        return new AddressRange(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
    }

    private static List<AddressRange> ranges(String... texts) {
        return Stream.of(texts).map(AddressRulesTest::range).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.0/16, 10.1.255.255, true",
        "10.1.0.0/16, 10.2.0.0, false",
        "10.1.0.0/15, 10.0.0.1, true",
        "128.0.0.0/1, 127.255.255.255, false",
        "128.0.0.0/1, 128.0.0.0, true",
        "10.1.2.3/32, 10.1.2.3, true",
        "10.1.2.3/32, 10.1.2.2, false",
        "10.1.2.2/31, 10.1.2.3, true",
        "0.0.0.0/0, 203.0.113.7, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 10.0.0.1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8::5/128, 2001:db8::5, true",
        "2001:db8::5/128, 2001:db8::4, false",
    })
    void rangeHasTheAddressesThatBeginLikeIt(String range, String address, boolean contained) {
        assertThat(range(range).contains(InetAddress.ofLiteral(address))).isEqualTo(contained);
    }

    @Test
    void everybodyMayComeWhereNobodyIsNamed() {
        assertThat(AddressRules.EVERYBODY.admit(InetAddress.ofLiteral("203.0.113.7")))
                .isTrue();
    }

    @Test
    void onlyThoseAllowedMayComeAndOfThemNotThoseDenied() {
        AddressRules rules = new AddressRules(ranges("10.0.0.0/8"), ranges("10.6.0.0/16"));
        assertThat(rules.admit(InetAddress.ofLiteral("10.1.2.3"))).isTrue();
        assertThat(rules.admit(InetAddress.ofLiteral("10.6.6.6"))).isFalse();
        assertThat(rules.admit(InetAddress.ofLiteral("192.0.2.1"))).isFalse();
        assertThat(rules.admit(InetAddress.ofLiteral("2001:db8::1"))).isFalse();
    }

    @Test
    void ofBothKindsThoseDeniedMayNotComeAndOthersMay() {
        AddressRules rules = new AddressRules(List.of(), ranges("10.6.0.0/16", "2001:db8::/32"));
        assertThat(rules.admit(InetAddress.ofLiteral("10.1.2.3"))).isTrue();
        assertThat(rules.admit(InetAddress.ofLiteral("10.6.2.3"))).isFalse();
        assertThat(rules.admit(InetAddress.ofLiteral("2001:db8::1"))).isFalse();
        assertThat(rules.admit(InetAddress.ofLiteral("2001:db9::1"))).isTrue();
    }

    @Test
    void mappedAddressIsTheOneThatItStandsFor() throws Exception {
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        System.arraycopy(new byte[] {10, 6, 6, 6}, 0, mapped, 12, 4);
        InetAddress shown = Inet6Address.getByAddress(null, mapped, -1);
        assertThat(shown).isInstanceOf(Inet6Address.class);
        assertThat(ClientAddress.plain(shown)).isEqualTo(InetAddress.ofLiteral("10.6.6.6"));
    }

    @Test
    void failuresAreHeldAgainstTheNetworkOfAnIpv6Address() {
        assertThat(ClientAddress.networkOf(InetAddress.ofLiteral("2001:db8:1:2:3:4:5:6")))
                .isEqualTo(ClientAddress.networkOf(InetAddress.ofLiteral("2001:db8:1:2::9")))
                .isNotEqualTo(ClientAddress.networkOf(InetAddress.ofLiteral("2001:db8:1:3::9")));
        assertThat(ClientAddress.networkOf(InetAddress.ofLiteral("10.1.2.3")))
                .isEqualTo(InetAddress.ofLiteral("10.1.2.3"));
    }
}

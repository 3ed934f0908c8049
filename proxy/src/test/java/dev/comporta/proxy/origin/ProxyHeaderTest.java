package dev.comporta.proxy.origin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.origin.ProxyHeader.Beginning;
import dev.comporta.proxy.origin.ProxyHeader.Reading;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    /** Where the header ends and the client's own first bytes begin: a PRELOGIN. */
    private static final byte[] PRELOGIN = {0x12, 0x01, 0x00, 0x2f};

    /** As a Network Load Balancer sends it: addresses, a checksum, padding, and the endpoint's id. */
    private static final String NLB = SIGNATURE
            + "21" // version 2, PROXY
            + "11" // TCP over IPv4
            + "0031" // 49 bytes follow
            + "c6336405" // 198.51.100.5
            + "cb007107" // 203.0.113.7
            + "8235" // 33333
            + "0599" // 1433
            + "03" + "0004" + "%s" // CRC32c
            + "04" + "0002" + "0000" // NOOP
            + "ea" + "0016" + "01" + "767063652d30386432626631356661633530303163"; // the VPC endpoint

    private static byte[] v1(String line) {
        return line.replace("\\r", "\r").replace("\\n", "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] v2(String hex) {
        return ByteBufUtil.decodeHexDump(SIGNATURE + hex.replace(" ", ""));
    }

    private static Reading read(byte[] bytes) {
        ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
        Reading read = ProxyHeader.read(buffer);
        assertThat(buffer.readerIndex()).isZero();
        return read;
    }

    /** Reads it whole, cut off after each byte, and with the client's bytes behind it, and not at a buffer's beginning. */
    private static Reading.Whole whole(byte[] header) {
        for (int length = 1; length < header.length; length++) {
            ByteBuf part = Unpooled.wrappedBuffer(header, 0, length);
            assertThat(ProxyHeader.beginning(part)).as("%d bytes", length).isNotEqualTo(Beginning.NONE);
            if (ProxyHeader.beginning(part) == Beginning.HEADER) {
                assertThat(ProxyHeader.read(part)).as("%d bytes", length).isInstanceOf(Reading.Incomplete.class);
            }
        }
        ByteBuf more = Unpooled.wrappedBuffer(new byte[3], header, PRELOGIN).skipBytes(3);
        assertThat(ProxyHeader.beginning(more)).isEqualTo(Beginning.HEADER);
        Reading.Whole read = (Reading.Whole) ProxyHeader.read(more);
        assertThat(read.length()).isEqualTo(header.length);
        assertThat(read).isEqualTo(read(header));
        return read;
    }

    private static String source(byte[] header) {
        Reading.Whole read = whole(header);
        assertThat(read.local()).isFalse();
        return read.source() == null
                ? "nobody"
                : read.source().getAddress().getHostAddress() + " "
                        + read.source().getPort();
    }

    private static void assertInvalid(byte[] header, String why) {
        assertThat(read(header))
                .isInstanceOfSatisfying(
                        Reading.Invalid.class,
                        invalid -> assertThat(invalid.why()).contains(why));
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 198.51.100.5 203.0.113.7 33333 1433\\r\\n, 198.51.100.5 33333",
        "PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\\r\\n, 255.255.255.255 65535",
        "PROXY TCP4 0.0.0.0 0.0.0.0 0 0\\r\\n, 0.0.0.0 0",
        "PROXY TCP6 2001:db8::5 2001:db8::7 33333 1433\\r\\n, 2001:db8:0:0:0:0:0:5 33333",
        "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\\r\\n,"
                + " ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535",
        "PROXY TCP6 ::ffff:198.51.100.5 ::1 1 2\\r\\n, 198.51.100.5 1",
        "PROXY UNKNOWN\\r\\n, nobody",
        "PROXY UNKNOWN ffff::1 ffff::2 65535 65535\\r\\n, nobody",
        "PROXY UNKNOWN whatever follows is ignored\\r\\n, nobody",
    })
    void lineTellsTheClient(String line, String source) {
        assertThat(source(v1(line))).isEqualTo(source);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 198.51.100.5 203.0.113.7 33333 1433\\n",
                "PROXY TCP4 198.51.100.5 203.0.113.7 33333\\r\\n",
                "PROXY TCP4 198.51.100.5 203.0.113.7 33333 1433 \\r\\n",
                "PROXY TCP4 198.51.100.5  203.0.113.7 33333 1433\\r\\n",
                "PROXY TCP4 198.51.100.05 203.0.113.7 33333 1433\\r\\n",
                "PROXY TCP4 198.51.100.256 203.0.113.7 33333 1433\\r\\n",
                "PROXY TCP4 198.51.100 203.0.113.7 33333 1433\\r\\n",
                "PROXY TCP4 2001:db8::5 203.0.113.7 33333 1433\\r\\n",
                "PROXY TCP4 198.51.100.5 nowhere 33333 1433\\r\\n",
                "PROXY TCP4 198.51.100.5 203.0.113.7 65536 1433\\r\\n",
                "PROXY TCP4 198.51.100.5 203.0.113.7 033 1433\\r\\n",
                "PROXY TCP4 198.51.100.5 203.0.113.7 -1 1433\\r\\n",
                "PROXY TCP6 198.51.100.5 ::1 33333 1433\\r\\n",
                "PROXY TCP6 2001:db8::5::1 ::1 33333 1433\\r\\n",
                "PROXY TCP6 fe80::1%lo ::1 33333 1433\\r\\n",
                "PROXY TCP6 [2001:db8::5] ::1 33333 1433\\r\\n",
                "PROXY UDP4 198.51.100.5 203.0.113.7 33333 1433\\r\\n",
                "PROXY tcp4 198.51.100.5 203.0.113.7 33333 1433\\r\\n",
                "PROXY \\r\\n",
            })
    void lineOfAnotherFormIsInvalid(String line) {
        assertInvalid(v1(line), "a line");
    }

    @Test
    void lineWithoutEndIsInvalidWhenItIsLongerThanAnyMayBe() {
        byte[] line = v1("PROXY UNKNOWN " + "x".repeat(200));
        ByteBuf longest = Unpooled.wrappedBuffer(line, 0, ProxyHeader.MOST_TEXT - 1);
        assertThat(ProxyHeader.read(longest)).isInstanceOf(Reading.Incomplete.class);
        assertInvalid(line, "more than 107 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        // TCP over IPv4, and over IPv6
        "21 11 000c c6336405 cb007107 8235 0599, 198.51.100.5 33333",
        "21 21 0024 20010db8000000000000000000000005 20010db8000000000000000000000007 8235 0599, 2001:db8:0:0:0:0:0:5 33333",
        "21 21 0024 00000000000000000000ffffc6336405 20010db8000000000000000000000007 8235 0599, 198.51.100.5 33333",
        // what is of no use: unspecified, with and without bytes; UDP; IPv4 of no protocol
        "21 00 0000, nobody",
        "21 00 0005 0102030405, nobody",
        "21 12 000c c6336405 cb007107 8235 0599, nobody",
        "21 10 000c c6336405 cb007107 8235 0599, nobody",
        // values: a name, and one with none
        "21 11 0016 c6336405 cb007107 8235 0599 02 0004 61626364 04 0000, 198.51.100.5 33333",
    })
    void binaryHeaderTellsTheClient(String hex, String source) {
        assertThat(source(v2(hex))).isEqualTo(source);
    }

    @Test
    void socketsOfTheMachineItselfAreNobody() {
        assertThat(source(v2("21 31 00d8" + "2f".repeat(216)))).isEqualTo("nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"20 00 0000", "20 11 000c c6336405 cb007107 8235 0599", "20 ff 0003 000000"})
    void loadBalancerSpeaksForItself(String hex) {
        Reading.Whole read = whole(v2(hex));
        assertThat(read.local()).isTrue();
        assertThat(read.source()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "11 11 000c c6336405 cb007107 8235 0599, version and command",
        "31 11 000c c6336405 cb007107 8235 0599, version and command",
        "22 11 000c c6336405 cb007107 8235 0599, version and command",
        "21 41 000c c6336405 cb007107 8235 0599, address family",
        "21 13 000c c6336405 cb007107 8235 0599, address family",
        "21 11 000b c6336405 cb007107 8235 05, too few",
        "21 21 000c c6336405 cb007107 8235 0599, too few",
        "21 31 000c c6336405 cb007107 8235 0599, too few",
        "21 11 000e c6336405 cb007107 8235 0599 0200, cut off",
        "21 11 0010 c6336405 cb007107 8235 0599 02000200, cut off",
        "21 11 0012 c6336405 cb007107 8235 0599 030003000000, checksum",
        "21 11 1000 c6336405, of which 4096 are taken",
    })
    void binaryHeaderOfAnotherFormIsInvalid(String hex, String why) {
        assertInvalid(v2(hex), why);
    }

    @Test
    void headerOfANetworkLoadBalancerIsReadAndItsChecksumChecked() {
        byte[] header = ByteBufUtil.decodeHexDump(NLB.formatted("00000000"));
        long checksum = crc32c(header);
        assertInvalid(header, "a wrong checksum");
        Unpooled.wrappedBuffer(header).setInt(16 + 12 + 3, (int) checksum);
        assertThat(source(header)).isEqualTo("198.51.100.5 33333");
        int type = 28; // of the checksum, which would be none
        for (int at = 16; at < header.length; at += at + 1 == type ? 2 : 1) {
            byte[] damaged = header.clone();
            damaged[at] ^= 0x10;
            assertThat(read(damaged)).as("byte %d", at).isInstanceOf(Reading.Invalid.class);
        }
    }

    /** Bit by bit, as RFC 4960 has it. */
    private static long crc32c(byte[] bytes) {
        int remainder = -1;
        for (byte next : bytes) {
            remainder ^= next & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                remainder = (remainder >>> 1) ^ (0x82f63b78 & -(remainder & 1));
            }
        }
        return ~remainder & 0xffffffffL;
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "10", "16", "5052585059", "50524f585954", "0d0a0d0b", "00", "ff"})
    void otherBytesAreNoHeader(String hex) {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        assertThat(ProxyHeader.beginning(bytes)).isEqualTo(Beginning.NONE);
    }
}

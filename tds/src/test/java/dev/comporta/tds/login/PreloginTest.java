package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreloginTest {
    /** A client of protocol 7.4 that asks for the default instance. */
    private static final byte[] CLIENT = hex(
            "00 001f 0006" // VERSION at 31
                    + "01 0025 0001" // ENCRYPTION at 37
                    + "02 0026 0001" // INSTOPT at 38
                    + "03 0027 0004" // THREADID at 39
                    + "04 002b 0001" // MARS at 43
                    + "06 002c 0001" // FEDAUTHREQUIRED at 44
                    + "ff"
                    + "10 00 03e8 0000" // 16.0.1000
                    + "00" // encryption off
                    + "00" // no instance
                    + "00000db8" // thread
                    + "01" // MARS wanted
                    + "01"); // federated authentication understood

    @Test
    void readsWhatAClientSends() {
        Prelogin prelogin = read(CLIENT);

        assertThat(prelogin.version()).isEqualTo(new Prelogin.Version(16, 0, 1000, 0));
        assertThat(prelogin.encryption()).isEqualTo(Encryption.OFF);
        assertThat(prelogin.instance()).isEmpty();
        assertThat(prelogin.option(Prelogin.THREADID)).containsExactly(0, 0, 0x0d, 0xb8);
        assertThat(prelogin.mars()).isTrue();
        assertThat(prelogin.fedAuthRequired()).isTrue();
        assertThat(prelogin.has(Prelogin.NONCEOPT)).isFalse();
    }

    @Test
    void whatWasReadIsWrittenBackTheSame() {
        assertThat(written(read(CLIENT))).isEqualTo(CLIENT);
    }

    @Test
    void everyShorterMessageIsAProtocolError() {
        for (int length = 0; length < CLIENT.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(CLIENT, length);
            assertThatThrownBy(() -> read(cut)).as("length %d", length).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void trailingBytesAreIgnored() {
        assertThat(read(java.util.Arrays.copyOf(CLIENT, CLIENT.length + 3))).isEqualTo(read(CLIENT));
    }

    @Test
    void serverAnswerHasEmptyThread() {
        Prelogin answer = Prelogin.builder(new Prelogin.Version(16, 0, 4000, 1))
                .encryption(Encryption.REQUIRED)
                .instance("")
                .threadId()
                .mars(false)
                .fedAuthRequired(false)
                .build();

        assertThat(read(written(answer))).isEqualTo(answer);
        assertThat(answer.option(Prelogin.THREADID)).isEmpty();
        assertThat(answer.mars()).isFalse();
    }

    @Test
    void instanceNameEndsAtItsTerminator() {
        Prelogin named = Prelogin.builder(new Prelogin.Version(9, 0, 0, 0))
                .instance("SQLEXPRESS")
                .build();

        assertThat(named.instance()).isEqualTo("SQLEXPRESS");
        assertThat(read(written(named)).instance()).isEqualTo("SQLEXPRESS");
        Prelogin more = Prelogin.builder(new Prelogin.Version(9, 0, 0, 0))
                .option(Prelogin.INSTOPT, "SQL\0EXPRESS\0".getBytes(StandardCharsets.US_ASCII))
                .build();
        assertThat(read(written(more)).instance()).isEqualTo("SQL");
    }

    @Test
    void silenceAboutEncryptionMeansThatItIsNotSupported() {
        Prelogin silent = Prelogin.builder(new Prelogin.Version(9, 0, 0, 0)).build();

        assertThat(silent.encryption()).isEqualTo(Encryption.NOT_SUPPORTED);
    }

    @ParameterizedTest
    @CsvSource({
        "ff, VERSION", // no options at all
        "01000b000100000b0006ff000000000000, VERSION", // VERSION is not the first
        "00000b000600000b0006ff000000000000, twice",
        "00000b000601000b0000ff000000000000, length",
        "00000b000504000b0001ff000000000000, length",
        "00ffff0006ff000000000000, outside",
        "00000600ffff000000000000, outside",
        "00000b00060100110001ff00000000000009, unknown encryption",
    })
    void brokenMessagesAreProtocolErrors(String hex, String complaint) {
        assertThatThrownBy(() -> read(hex(hex)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void tooManyOptionsAreAProtocolError() {
        ByteBuf bytes = Unpooled.buffer();
        for (int token = 0; token < 200; token++) {
            bytes.writeByte(token == 0 ? 0 : token + 16).writeShort(1001).writeShort(token == 0 ? 6 : 0);
        }
        bytes.writeByte(0xFF).writeZero(6);

        assertThatThrownBy(() -> Prelogin.read(bytes))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("more than 32");
    }

    @Property
    void garbageIsAProtocolErrorOrAMessage(@ForAll("garbage") byte[] garbage) {
        Optional<Prelogin> prelogin = readable(garbage);
        prelogin.ifPresent(read -> assertThat(read(written(read))).isEqualTo(read));
        Statistics.label("is a message").collect(prelogin.isPresent()).coverage(reached -> {
            reached.check(true).percentage(percent -> percent > 10);
            reached.check(false).percentage(percent -> percent > 10);
        });
    }

    private static Optional<Prelogin> readable(byte[] garbage) {
        try {
            return Optional.of(read(garbage));
        } catch (ProtocolException expected) {
            assertThat(expected).hasMessageStartingWith("PRELOGIN");
            return Optional.empty();
        }
    }

    /** Any bytes, which hardly ever begin as a message does; and a message of which some bytes are others. */
    @Provide
    Arbitrary<byte[]> garbage() {
        Arbitrary<byte[]> spoiled = Combinators.combine(
                        Arbitraries.integers()
                                .between(0, CLIENT.length - 1)
                                .list()
                                .ofMinSize(1)
                                .ofMaxSize(3),
                        Arbitraries.bytes())
                .as((places, value) -> {
                    byte[] bytes = CLIENT.clone();
                    places.forEach(place -> bytes[place] = value);
                    return bytes;
                });
        return Arbitraries.frequencyOf(Tuple.of(1, Arbitraries.bytes().array(byte[].class)), Tuple.of(3, spoiled));
    }

    @Property
    void optionsReadBackAsWritten(@ForAll("prelogins") Prelogin prelogin) {
        assertThat(read(written(prelogin))).isEqualTo(prelogin).hasSameHashCodeAs(prelogin);
    }

    @Provide
    Arbitrary<Prelogin> prelogins() {
        return Arbitraries.randomValue(PreloginTest::randomPrelogin);
    }

    private static Prelogin randomPrelogin(Random random) {
        Prelogin.Builder builder =
                Prelogin.builder(new Prelogin.Version(random.nextInt(256), 0, random.nextInt(65536), 7));
        builder.encryption(Encryption.values()[random.nextInt(4)]).mars(random.nextBoolean());
        byte[] trace = new byte[36];
        random.nextBytes(trace);
        builder.option(Prelogin.TRACEID, trace);
        byte[] nonce = new byte[32];
        random.nextBytes(nonce);
        builder.option(Prelogin.NONCEOPT, nonce);
        byte[] unknown = new byte[random.nextInt(300)];
        random.nextBytes(unknown);
        return builder.option(0x40 + random.nextInt(64), unknown).build();
    }

    private static Prelogin read(byte[] bytes) {
        return Prelogin.read(Unpooled.wrappedBuffer(bytes));
    }

    private static byte[] written(Prelogin prelogin) {
        ByteBuf out = Unpooled.buffer();
        prelogin.write(out);
        return ByteBufUtil.getBytes(out);
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }
}

package dev.comporta.tds.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.TlsPair.Received;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that a client can send before its login. Whatever they are, at most they end its connection. */
class TlsFuzzTest {
    private static final int STRICT = 0x01;
    private static final int LOGIN_ONLY = 0x02;
    private static final int NATIVE = 0x04;
    private static final int PIECES_SHIFT = 3;

    private static final List<String> SAID = List.of("16:login", "1:select");

    static Stream<byte[]> beginnings() {
        return Stream.of(
                // Strict: the header of a TLS record, a ClientHello that is cut short.
                input(STRICT, "16030100050100000100"),
                input(STRICT | NATIVE | 1 << PIECES_SHIFT, "160301000501000001"),
                // No TLS at all: PRELOGIN, LOGIN7, HTTP.
                input(STRICT, "1201002f00000100"),
                input(STRICT, "1001001000000100"),
                input(STRICT, "474554202f20485454502f312e310d0a"),
                // Wrapped: records in PRELOGIN packets, an empty one, one in two packets, one of another type.
                input(0, "1201000d00000000" + "1603010000"),
                input(LOGIN_ONLY, "1201000800000000"),
                input(NATIVE | 2 << PIECES_SHIFT, "1200000a00000000" + "1603" + "1201000b00000100" + "010000"),
                input(LOGIN_ONLY, "0401000d00000000" + "1503030002" + "0101000900000000" + "00"));
    }

    /** The first byte says what kind of server reads them, and in which pieces the others arrive. */
    @MethodSource("beginnings")
    @FuzzTest
    void anyBeginningIsRefusedOrWaitedFor(byte[] input) {
        if (input.length == 0) {
            return;
        }
        SslProvider provider = provider(input[0]);
        try (TlsPair pair = (input[0] & STRICT) != 0
                ? TlsPair.strict(provider, provider)
                : TlsPair.wrapped(provider, provider, outcome(input[0]))) {
            pair.inPiecesOf(pieces(input[0])).deliver(Arrays.copyOfRange(input, 1, input.length), pair.server);
            assertOnlyKnownFailures(pair.atServer);
            if ((input[0] & STRICT) == 0) {
                assertThat(pair.atServer.packets).isEmpty();
            }
        }
    }

    static Stream<byte[]> edits() {
        return Stream.of(
                edit(0, 0, ""),
                edit(LOGIN_ONLY, 0, ""),
                edit(LOGIN_ONLY, 0, "17"),
                edit(LOGIN_ONLY | NATIVE | 3 << PIECES_SHIFT, 3, "ffff"),
                edit(LOGIN_ONLY, 40, "0101000800000000"),
                edit(LOGIN_ONLY | 1 << PIECES_SHIFT, 1000, "0101000900000000aa"),
                edit(NATIVE, 7, "00000000"));
    }

    /**
     * A login after a true handshake, of which the network changes some bytes: what was encrypted arrives as it was said, or
     * not at all. The first byte as above, two that say where, and what is written over the bytes that are there.
     */
    @MethodSource("edits")
    @FuzzTest
    void whatWasEncryptedArrivesUnchangedOrNotAtAll(byte[] input) throws Exception {
        if (input.length < 3) {
            return;
        }
        SslProvider provider = provider(input[0]);
        try (TlsPair pair =
                TlsPair.wrapped(provider, provider, outcome(input[0])).exchange()) {
            TlsPair.send(pair.client, PacketType.LOGIN7, "login");
            WrappedTls tls = pair.client.pipeline().get(WrappedTls.class);
            if (tls != null) {
                tls.endEncryption(pair.client.pipeline().lastContext());
            }
            TlsPair.send(pair.client, PacketType.SQL_BATCH, "select");
            byte[] stream = TlsPair.outboundOf(pair.client);
            boolean changed = overwrite(stream, input);
            pair.inPiecesOf(pieces(input[0])).deliver(stream, pair.server);
            List<String> heard = pair.atServer.packets;
            // Behind a login that alone is encrypted, the network may say what it wants.
            List<String> trusted =
                    outcome(input[0]) == Outcome.LOGIN_ONLY && !heard.isEmpty() ? heard.subList(0, 1) : heard;
            assertThat(trusted).isEqualTo(SAID.subList(0, trusted.size()));
            if (!changed) {
                assertThat(heard).isEqualTo(SAID);
            }
            assertOnlyKnownFailures(pair.atServer);
        }
    }

    private static boolean overwrite(byte[] stream, byte[] input) {
        int at = ByteBuffer.wrap(input, 1, 2).getShort() & 0xFFFF;
        boolean changed = false;
        for (int i = 3; i < input.length && at < stream.length; i++, at++) {
            changed |= stream[at] != input[i];
            stream[at] = input[i];
        }
        return changed;
    }

    private static void assertOnlyKnownFailures(Received side) {
        for (Throwable failure : side.failures) {
            Throwable cause =
                    failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
            assertThat(cause).isInstanceOfAny(ProtocolException.class, SSLException.class);
        }
    }

    private static SslProvider provider(byte how) {
        return (how & NATIVE) != 0 ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    private static Outcome outcome(byte how) {
        return (how & LOGIN_ONLY) != 0 ? Outcome.LOGIN_ONLY : Outcome.FULL;
    }

    private static int pieces(byte how) {
        int size = (how & 0xFF) >> PIECES_SHIFT;
        return size == 0 ? Integer.MAX_VALUE : size;
    }

    private static byte[] input(int how, String hex) {
        return HexFormat.of().parseHex("%02x".formatted(how) + hex);
    }

    private static byte[] edit(int how, int at, String hex) {
        return input(how, "%04x".formatted(at) + hex);
    }
}

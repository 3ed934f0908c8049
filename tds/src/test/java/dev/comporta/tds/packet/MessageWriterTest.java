package dev.comporta.tds.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MessageWriterTest {
    private record Sent(byte[] bytes, boolean endOfMessage) {}

    private final List<Sent> sent = new ArrayList<>();
    private final MessageWriter writer = new MessageWriter(ByteBufAllocator.DEFAULT, (packets, end) -> {
        sent.add(new Sent(ByteBufUtil.getBytes(packets), end));
        assertThat(packets.release()).isTrue();
    });

    @Test
    void messageWithoutABodyIsAHeaderAlone() {
        writer.begin(PacketType.ATTENTION).end();
        assertThat(hex(0)).isEqualTo("0601000800000100");
        assertThat(sent.get(0).endOfMessage()).isTrue();
    }

    @Test
    void headerCarriesSpidAndResetOnTheFirstPacketOnly() {
        writer.spid(0x0133);
        writer.packetSize(512);
        writer.begin(PacketType.SQL_BATCH, PacketHeader.STATUS_RESETCONNECTION)
                .writeBytes(new byte[505])
                .end();
        byte[] all = sent.get(0).bytes();
        assertThat(ByteBufUtil.hexDump(all, 0, 8)).isEqualTo("0108020001330100");
        assertThat(ByteBufUtil.hexDump(all, 512, 9)).isEqualTo("010100090133020000");
    }

    @Test
    void bodyThatFillsItsPacketExactlyNeedsNoOther() {
        writer.packetSize(512);
        writer.begin(PacketType.RPC).writeBytes(new byte[504]).end();
        assertThat(sent).hasSize(1);
        assertThat(hex(0)).startsWith("0301020000000100").hasSize(2 * 512);
    }

    @Test
    void givenUpMessageEndsWithIgnore() {
        writer.begin(PacketType.BULK_LOAD).writeByte(1).endIgnored();
        assertThat(hex(0)).isEqualTo("070300090000010001");
    }

    @Test
    void packetSizeChangesWithTheNextMessage() {
        writer.begin(PacketType.TABULAR_RESULT);
        writer.packetSize(512);
        writer.writeBytes(new byte[4088]).end();
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(new byte[505]).end();
        assertThat(sent.get(0).bytes()).hasSize(4096);
        assertThat(sent.get(1).bytes()).hasSize(512 + 9);
    }

    @Test
    void longMessageIsSentWhileItIsWritten() {
        writer.begin(PacketType.TABULAR_RESULT);
        for (int i = 0; i < 1024; i++) {
            writer.writeBytes(new byte[1024]);
            assertThat(sent.stream().mapToInt(s -> s.bytes().length).sum())
                    .as("all but one chunk has left")
                    .isGreaterThan(i * 1024 - 33 * 1024);
        }
        writer.end();
        assertThat(body(PacketType.TABULAR_RESULT, 4096)).hasSize(1024 * 1024);
    }

    @Test
    void flushSendsTheOpenPacketShort() {
        writer.packetSize(512);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(new byte[505]);
        writer.flush();
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0).bytes()).hasSize(512 + 9);
        assertThat(sent.get(0).bytes()).endsWith(HexFormat.of().parseHex("040000090000020000"));
        assertThat(sent.get(0).endOfMessage()).isFalse();
        writer.writeByte(7).end();
        assertThat(hex(1)).isEqualTo("040100090000030007");
    }

    @Test
    void flushOfNothingSendsNothing() {
        writer.begin(PacketType.TABULAR_RESULT);
        writer.flush();
        assertThat(sent).isEmpty();
        writer.writeByte(7).flush();
        writer.flush();
        assertThat(sent).hasSize(1);
        writer.end();
        assertThat(hex(1)).isEqualTo("0401000800000200");
    }

    @Test
    void discardedMessageIsNotSent() {
        writer.begin(PacketType.RPC).writeIntLE(1);
        writer.discard();
        assertThatThrownBy(() -> writer.writeByte(1)).isInstanceOf(IllegalStateException.class);
        writer.begin(PacketType.ATTENTION).end();
        assertThat(sent).hasSize(1);
        assertThat(hex(0)).as("the message after it").isEqualTo("0601000800000100");
    }

    @Test
    void packetIdsWrapAround() {
        writer.packetSize(512);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(new byte[504 * 257]).end();
        assertThat(body(PacketType.TABULAR_RESULT, 512)).hasSize(504 * 257);
    }

    @Property(tries = 200)
    void whatIsWrittenIsWhatThePacketsCarry(
            @ForAll @IntRange(min = 512, max = 32767) int packetSize,
            @ForAll @IntRange(max = 3000) int operations,
            @ForAll long seed) {
        sent.clear();
        writer.packetSize(packetSize);
        writer.begin(PacketType.RPC);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        Random random = new Random(seed);
        for (int i = 0; i < operations; i++) {
            writeSomething(random, expected);
        }
        writer.end();
        assertThat(body(PacketType.RPC, packetSize)).isEqualTo(expected.toByteArray());
    }

    private void writeSomething(Random random, ByteArrayOutputStream expected) {
        long value = random.nextLong();
        switch (random.nextInt(5)) {
            case 0 -> {
                writer.writeByte((int) value);
                expect(expected, value, 1);
            }
            case 1 -> {
                writer.writeShortLE((int) value);
                expect(expected, value, 2);
            }
            case 2 -> {
                writer.writeIntLE((int) value);
                expect(expected, value, 4);
            }
            case 3 -> {
                writer.writeText("grüße");
                expected.writeBytes("grüße".getBytes(StandardCharsets.UTF_16LE));
            }
            default -> {
                byte[] some = new byte[random.nextInt(700)];
                random.nextBytes(some);
                writer.writeBytes(some).writeBytes(Unpooled.wrappedBuffer(some));
                expected.writeBytes(some);
                expected.writeBytes(some);
            }
        }
    }

    private static void expect(ByteArrayOutputStream expected, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            expected.write((int) (value >>> (8 * i)));
        }
    }

    private String hex(int index) {
        return ByteBufUtil.hexDump(sent.get(index).bytes());
    }

    /** The body of the one message sent, after a look at every header. */
    private byte[] body(int type, int packetSize) {
        ByteBuf all = Unpooled.wrappedBuffer(sent.stream().map(Sent::bytes).toArray(byte[][]::new));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int id = 0;
        while (all.isReadable()) {
            assertThat(PacketHeader.type(all)).isEqualTo(type);
            assertThat(PacketHeader.packetId(all)).isEqualTo(++id & 0xFF);
            int length = PacketHeader.length(all);
            assertThat(PacketHeader.isEndOfMessage(all)).isEqualTo(length == all.readableBytes());
            if (!PacketHeader.isEndOfMessage(all)) {
                assertThat(length).isEqualTo(packetSize);
            }
            body.writeBytes(ByteBufUtil.getBytes(all, all.readerIndex() + 8, length - 8));
            all.skipBytes(length);
        }
        assertThat(sent.stream().filter(Sent::endOfMessage)).hasSize(1);
        return body.toByteArray();
    }
}

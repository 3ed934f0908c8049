package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Timeout;

/**
 * A client's packets reach the server in the order in which they came, none lost and none twice, however they are cut and
 * at whatever moment they come: while its connection is probed, brought into its state, waited for, or answers.
 */
@Timeout(60)
class PacketOrderTest {
    private static final int ROUNDS = 12;
    private static final int MOST_AHEAD = 4;

    private ProxyFixture fixture;
    private RawClient client;
    private Connection other;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(1);
        fixture.server.misbehave(Misbehaviour.NONE.withSilentTransactions(true));
        client = RawClient.loggedIn(fixture.proxy.port());
        other = fixture.connect();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        other.close();
        fixture.close();
    }

    @RepeatedTest(20)
    void requestsSentAheadAreAnsweredInTheirOrder(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        int number = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (random.nextInt(3) == 0) {
                run(other, "SET LOCK_TIMEOUT " + round); // so that the connection changes hands, and settings
            }
            int ahead = 1 + random.nextInt(MOST_AHEAD);
            ByteBuf sent = Unpooled.buffer();
            for (int i = 0; i < ahead; i++) {
                sent.writeBytes(cut(sql(number + i, random), random));
            }
            sendInPieces(sent, random);
            for (int i = 0; i < ahead; i++) {
                assertThat(client.response().toString(StandardCharsets.ISO_8859_1))
                        .as("answer %d", number + i)
                        .contains(letters("<" + (number + i) + ">"));
            }
            number += ahead;
        }
    }

    /** As they stand in a response, where nothing says that they begin at an even place. */
    private static String letters(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_16LE), StandardCharsets.ISO_8859_1);
    }

    /** Some are probed afterwards, some set what has to be applied elsewhere, some are of several packets. */
    private static String sql(int number, Random random) {
        String begin = switch (random.nextInt(4)) {
            case 0 -> "SET LOCK_TIMEOUT 5000; ";
            case 1 -> "BEGIN TRAN; COMMIT; ";
            case 2 -> "SET DATEFIRST 3; ";
            default -> "";
        };
        return begin + " ".repeat(random.nextInt(3) * 700) + "SELECT N'<" + number + ">'";
    }

    /** The packets of one batch. */
    private static ByteBuf cut(String sql, Random random) {
        ByteBuf body = RawClient.batch(sql);
        ByteBuf packets = Unpooled.buffer();
        while (body.isReadable()) {
            int length = Math.min(body.readableBytes(), 1 + random.nextInt(1500));
            boolean last = length == body.readableBytes();
            packets.writeByte(PacketType.SQL_BATCH)
                    .writeByte(last ? PacketHeader.STATUS_EOM : 0)
                    .writeShort(PacketHeader.LENGTH + length)
                    .writeInt(0)
                    .writeBytes(body, length);
        }
        return packets;
    }

    private void sendInPieces(ByteBuf bytes, Random random) {
        while (bytes.isReadable()) {
            byte[] piece = new byte[Math.min(bytes.readableBytes(), 1 + random.nextInt(3000))];
            bytes.readBytes(piece);
            client.raw(piece);
        }
    }
}

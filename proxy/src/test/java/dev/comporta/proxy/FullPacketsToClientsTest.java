package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** python-tds reads numbers wrong that are divided between a packet that is not full and the next one. */
@Timeout(60)
class FullPacketsToClientsTest {
    @Test
    void aResponseBehindAResetHasFullPackets() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection other = fixture.connect();
                RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            run(other, "CREATE TABLE numbers (n INT)");
            run(other, "INSERT INTO numbers VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)");
            long resets = fixture.server.counters().resets();

            client.sendBatch("SELECT a.n, b.n, c.n FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c");
            List<Integer> lengths = lengthsOfPackets(client);

            assertThat(fixture.server.counters().resets()).isEqualTo(resets + 1);
            assertThat(lengths).hasSizeGreaterThan(3);
            assertThat(lengths.subList(0, lengths.size() - 1)).containsOnly(PacketHeader.DEFAULT_PACKET_SIZE);
        }
    }

    /** The server sends eight packets, and then nothing for a minute. */
    @Test
    void rowsDoNotWaitForAServerThatTakesLongForTheNext() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection other = fixture.connect();
                RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            run(other, "CREATE TABLE numbers (n INT)");
            run(
                    other,
                    "INSERT INTO numbers VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13)");
            long resets = fixture.server.counters().resets();

            client.sendBatch("SELECT a.n, b.n, c.n FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c;"
                    + " WAITFOR DELAY '00:01:00'");
            for (int i = 0; i < 7; i++) {
                assertThat(lengthOfPacket(client)).isEqualTo(PacketHeader.DEFAULT_PACKET_SIZE);
            }

            int aRow = 16;
            assertThat(lengthOfPacket(client))
                    .isBetween(PacketHeader.DEFAULT_PACKET_SIZE - 2 * aRow, PacketHeader.DEFAULT_PACKET_SIZE - 1);
            assertThat(fixture.server.counters().resets()).isEqualTo(resets + 1);
        }
    }

    private static int lengthOfPacket(RawClient client) throws IOException {
        int length = PacketHeader.length(Unpooled.wrappedBuffer(client.read(PacketHeader.LENGTH)));
        client.read(length - PacketHeader.LENGTH);
        return length;
    }

    private static List<Integer> lengthsOfPackets(RawClient client) throws Exception {
        List<Integer> lengths = new ArrayList<>();
        boolean last = false;
        while (!last) {
            ByteBuf header = Unpooled.wrappedBuffer(client.read(PacketHeader.LENGTH));
            lengths.add(PacketHeader.length(header));
            client.read(PacketHeader.length(header) - PacketHeader.LENGTH);
            last = PacketHeader.isEndOfMessage(header);
        }
        return lengths;
    }
}

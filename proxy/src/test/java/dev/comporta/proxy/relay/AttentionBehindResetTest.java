package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.LoginResponses;
import dev.comporta.proxy.relay.known.ServerMake;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is not SQL Server may drop an attention that comes before it has reset the session. */
class AttentionBehindResetTest {
    private static final String ACKNOWLEDGEMENT = "e30300120000";
    private static final String DONE = "fd1000c1000100000000000000";

    private final PooledServer given = TestServer.connected(LoginResponses.accepted());
    private final EmbeddedChannel server = new EmbeddedChannel(given);

    @AfterEach
    void stop() {
        server.finishAndReleaseAll();
    }

    @Test
    void itIsSentWhenTheResponseHasBegun() {
        begin(true);
        given.sendAttention();
        assertThat(sent()).isEmpty();
        answer(ACKNOWLEDGEMENT + DONE);
        assertThat(sent()).containsExactly(PacketType.ATTENTION);
    }

    @Test
    void itIsSentOnce() {
        begin(true);
        answer(ACKNOWLEDGEMENT);
        given.sendAttention();
        assertThat(sent()).containsExactly(PacketType.ATTENTION);
        answer(DONE);
        assertThat(sent()).isEmpty();
    }

    @Test
    void withoutAResetItIsSentAtOnce() {
        begin(false);
        given.sendAttention();
        assertThat(sent()).containsExactly(PacketType.ATTENTION);
    }

    @Test
    void sqlServerGetsItAtOnce() {
        given.session().make(ServerMake.SQL_SERVER);
        begin(true);
        given.sendAttention();
        assertThat(sent()).containsExactly(PacketType.ATTENTION);
    }

    @Test
    void aServerThatWaitsForTheRestOfTheRequestGetsItAtOnce() {
        begin(true);
        given.cutShort();
        assertThat(sent()).containsExactly(PacketType.ATTENTION);
    }

    private void begin(boolean reset) {
        ByteBuf request = Requests.batch("SELECT 1");
        given.inspector().begin(request, ProcedureRules.SHARE, null, false, false);
        given.beginRequest(request, reset);
        request.release();
    }

    private void answer(String tokens) {
        server.writeInbound(Requests.packet(
                PacketType.TABULAR_RESULT,
                tokens.endsWith(DONE) ? PacketHeader.STATUS_EOM : 0,
                Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(tokens))));
    }

    /** The types of the packets that the server has got since the last question. */
    private List<Integer> sent() {
        List<Integer> types = new ArrayList<>();
        for (ByteBuf packet = server.readOutbound(); packet != null; packet = server.readOutbound()) {
            types.add(PacketHeader.type(packet));
            packet.release();
        }
        return types;
    }
}

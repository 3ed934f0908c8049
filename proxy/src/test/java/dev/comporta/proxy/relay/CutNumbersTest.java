package dev.comporta.proxy.relay;

import static dev.comporta.testkit.PreparedCall.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RpcCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Packets that end within a number that may have to be replaced wait for the rest of it, and for nothing else. */
class CutNumbersTest {
    private static final int HANDLE = 0x2000_0001;
    private static final String END_OF_CALL = "fe 0100 e000 0000000000000000";
    private static final String END = "fe 0000 e000 0000000000000000";

    private final ClientStage stage = new ClientStage(false);

    @BeforeEach
    void ask() {
        stage.clientSends(Requests.batch("EXEC one EXEC two EXEC three"));
        stage.attach(Given.FITTING);
        stage.outcome();
    }

    @AfterEach
    void strike() {
        stage.strike();
    }

    /** What a batch of a hundred calls looks like, where the packets' size is a multiple of an answer's. */
    @Test
    void eachPacketMayEndWithinANumberOfItsOwn() {
        serverSends(false, "79 0000");
        assertThat(stage.outcome()).isEmpty();
        serverSends(false, "0000" + END_OF_CALL + "79 00");
        assertThat(stage.outcome()).isEqualTo("client gets part of the response");
        serverSends(false, "000000" + END_OF_CALL + "79");
        assertThat(stage.outcome()).isEqualTo("client gets part of the response");
        serverSends(true, "00000000" + END);
        assertThat(stage.outcome()).isEqualTo("released, client gets part of the response, client gets response");
    }

    @Test
    void aNumberInMoreThanTwoPacketsEndsTheConnection() {
        serverSends(false, "79 00");
        serverSends(false, "00");
        assertThat(stage.outcome()).contains("server is broken", "client gets error 50003");
    }

    @Test
    void aClientThatIsGoneMeanwhileIsSentNothing() {
        serverSends(false, "79 0000");
        stage.clientTakesNoWrites();
        serverSends(false, "0000" + END_OF_CALL + "79 00");
        assertThat(stage.outcome()).isEqualTo("abandoned, left, client is closed, server gets attention");
    }

    @Test
    void eachPacketOfARequestMayEndWithinAHandleOfItsOwn() {
        serverSends(true, END);
        RpcCall[] calls = new RpcCall[12_000];
        Arrays.fill(calls, execute(HANDLE));
        ByteBuf whole = Requests.calls(calls).skipBytes(PacketHeader.LENGTH);
        int packets = 0;
        while (whole.isReadable()) {
            int length = Math.min(whole.readableBytes(), PacketHeader.DEFAULT_PACKET_SIZE);
            if (length < whole.readableBytes()) {
                // Behind the first byte of the next handle.
                ByteBuf rest = whole.slice(whole.readerIndex() + length, whole.readableBytes() - length);
                length += ByteBufUtil.indexOf(Unpooled.copyInt(Integer.reverseBytes(HANDLE)), rest) + 1;
            }
            ByteBuf body = whole.readSlice(length);
            stage.clientSends(Requests.packet(PacketType.RPC, whole.isReadable() ? 0 : PacketHeader.STATUS_EOM, body));
            if (stage.phase() == ClientPhase.QUEUED) {
                stage.attach(Given.FITTING);
            }
            packets++;
        }
        assertThat(packets).isGreaterThan(30);
        assertThat(stage.phase()).isEqualTo(ClientPhase.RESPONDING);
        assertThat(stage.outcome().split("server gets RPC", -1)).hasSize(packets + 1);
        serverSends(true, END);
    }

    private void serverSends(boolean last, String tokens) {
        stage.serverSends(last, ClientStage.tokens(tokens));
    }
}

package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client whose connection proves to be closed when its response is written, costs no server connection. */
class LostWriteTest {
    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String MORE = "fd 0100 0000 0000000000000000";

    private final ClientStage stage = new ClientStage(false);

    @BeforeEach
    void askAndBeGone() {
        stage.clientSends(Requests.batch("SELECT 1"));
        stage.attach(Given.FITTING);
        stage.outcome();
        stage.clientTakesNoWrites();
    }

    @AfterEach
    void strike() {
        stage.strike();
    }

    @Test
    void itsResponseIsCancelledAndReadToItsEnd() {
        stage.serverSends(false, ClientStage.tokens(MORE));
        assertThat(stage.outcome()).isEqualTo("abandoned, left, client is closed, server gets attention");
        stage.serverSends(true, ClientStage.tokens(DONE));
        assertThat(stage.outcome()).as("the attention is not answered yet").isEqualTo("client is closed");
        stage.serverSends(true, ClientStage.tokens("fd 2000 0000 0000000000000000"));
        assertThat(stage.outcome()).isEqualTo("what was abandoned has ended, client is closed");
    }

    @Test
    void aResponseThatIsCompleteIsNotCancelled() {
        stage.serverSends(true, ClientStage.tokens(DONE));
        assertThat(stage.outcome()).isEqualTo("abandoned, left, what was abandoned has ended, client is closed");
    }

    @Test
    void theSameWhereTheChannelSaysThatItCantBeWritten() {
        stage.clientReads(false);
        stage.serverSends(true, ClientStage.tokens(DONE));
        assertThat(stage.outcome()).isEqualTo("abandoned, left, what was abandoned has ended, client is closed");
    }

    @Test
    void aResponseThatComesBeforeTheRequestIsCompleteIsNoErrorOfTheServers() {
        ClientStage other = new ClientStage(false);
        other.clientSends(Requests.packet(
                PacketType.SQL_BATCH, 0, Unpooled.buffer().writeIntLE(4).writeZero(65_000)));
        other.clientSends(
                Requests.packet(PacketType.SQL_BATCH, 0, Unpooled.buffer().writeZero(1000)));
        other.attach(Given.FITTING);
        assertThat(other.phase()).isEqualTo(ClientPhase.SENDING);
        other.clientTakesNoWrites();
        other.outcome();
        other.serverSends(true, ClientStage.tokens(DONE));
        assertThat(other.outcome()).isEqualTo("discarded, left, client is closed");
        other.strike();
    }
}

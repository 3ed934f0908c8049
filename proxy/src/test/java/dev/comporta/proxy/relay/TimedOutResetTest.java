package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request that was to reset its session and has taken too long: its client is told, whatever became of the reset. */
class TimedOutResetTest {
    private static final String ACKNOWLEDGEMENT = "e3 0300 12 0000";
    private static final String DONE_ATTENTION = "fd 2000 0000 0000000000000000";

    private final ClientStage stage = new ClientStage(false);

    @BeforeEach
    void timeOut() {
        ByteBuf request = Requests.batch("SELECT 1");
        PacketHeader.setStatus(request, PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        stage.clientSends(request);
        stage.attach(Given.FITTING);
        stage.check(new ClientLimits(
                Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        assertThat(stage.phase()).isEqualTo(ClientPhase.TIMED_OUT);
        stage.outcome();
    }

    @AfterEach
    void strike() {
        stage.strike();
    }

    @Test
    void itsClientIsToldIfTheSessionWasReset() {
        stage.serverSends(true, ClientStage.tokens(ACKNOWLEDGEMENT + DONE_ATTENTION));
        assertThat(stage.outcome()).isEqualTo("released, client gets error 50006, server gets attention");
        assertThat(stage.phase()).isEqualTo(ClientPhase.RESTING);
    }

    @Test
    void itsClientIsToldIfNobodyKnowsWhetherTheSessionWasReset() {
        stage.serverSends(true, ClientStage.tokens(DONE_ATTENTION));
        assertThat(stage.outcome()).isEqualTo("discarded, client gets error 50006, server gets attention");
        assertThat(stage.phase()).isEqualTo(ClientPhase.RESTING);
    }
}

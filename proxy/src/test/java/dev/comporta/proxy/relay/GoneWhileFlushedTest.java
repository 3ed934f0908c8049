package dev.comporta.proxy.relay;

import static dev.comporta.proxy.relay.ClientStage.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A client that has reset its connection is often noticed only when its response is flushed, while the server connection is
 * still in the middle of ending that response. The client's connection is given back once, and stays usable.
 */
class GoneWhileFlushedTest {
    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String DONE_ERROR = "fd 0200 0000 0000000000000000";
    private static final String DONE_ATTENTION = "fd 2000 0000 0000000000000000";

    private final ClientStage stage = new ClientStage(false);

    @AfterEach
    void strike() {
        stage.strike();
    }

    @Test
    void itsConnectionIsReset() {
        request(PacketHeader.STATUS_EOM);
        stage.clientIsGoneOnFlush();
        stage.serverSends(true, tokens(DONE));
        assertThat(stage.outcome()).isEqualTo("released dirty, left, client is closed");
    }

    @Test
    void itsConnectionIsDiscardedIfNobodyKnowsWhetherItWasReset() {
        request(PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        stage.clientSends(Requests.packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.buffer()));
        stage.serverSends(true, tokens(DONE_ERROR));
        stage.outcome();
        stage.clientIsGoneOnFlush();
        stage.serverSends(true, tokens(DONE_ATTENTION));
        assertThat(stage.outcome()).isEqualTo("discarded, left, client is closed");
    }

    @Test
    void itsConnectionIsResetIfItsRequestTookTooLong() {
        request(PacketHeader.STATUS_EOM);
        timeOut();
        stage.serverSends(true, tokens(DONE_ATTENTION));
        assertThat(stage.outcome()).isEqualTo("released dirty, left, client is closed");
    }

    @Test
    void itIsGoneIfItsServerIsLostAfterItsRequestTookTooLong() {
        request(PacketHeader.STATUS_EOM);
        timeOut();
        stage.serverIsGone();
        assertThat(stage.outcome()).isEqualTo("left, client is closed, server is closed");
    }

    @Test
    void itsConnectionIsDiscardedIfTheServerAnsweredBeforeTheRequestWasComplete() {
        request(0);
        stage.clientIsGoneOnFlush();
        stage.serverSends(true, tokens(DONE));
        assertThat(stage.outcome()).isEqualTo("discarded, left, client is closed");
    }

    private void request(int status) {
        ByteBuf request = Requests.batch("SELECT 1");
        PacketHeader.setStatus(request, status);
        stage.clientSends(request);
        while (!stage.outcome().contains("asks")) {
            stage.clientSends(
                    Requests.packet(PacketType.SQL_BATCH, 0, Unpooled.buffer().writeZero(4000)));
        }
        stage.attach(Given.FITTING);
        stage.outcome();
    }

    private void timeOut() {
        stage.check(new ClientLimits(
                Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        stage.outcome();
        stage.clientIsGoneOnFlush();
    }
}

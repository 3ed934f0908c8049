package dev.comporta.proxy.relay;

import static dev.comporta.testkit.PreparedCall.execute;
import static dev.comporta.testkit.PreparedCall.prepareAndExecute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client in a transaction must know as much of its session as the server does: otherwise it is closed. */
class KeptSessionTest {
    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String DONE_ERROR = "fd 0200 0000 0000000000000000";
    private static final String DONE_ATTENTION = "fd 2000 0000 0000000000000000";
    private static final String BEGAN = "e3 0b00 08 08 0500000000000000 00";
    private static final String COMMITTED = "e3 0b00 09 00 08 0500000000000000";
    private static final String ROLLED_BACK = "e3 0b00 0a 00 08 0500000000000000";
    private static final String ERROR = "aa 1200 39300000 01 10 0200 6e006f00 00 00 01000000";
    private static final String COLUMN = "81 0100 00000000 0900 26 04 00";
    private static final String ONE = COLUMN + "d1 04 01000000" + DONE;
    /** The handle that the server gives. */
    private static final String HANDLE = "ac 0000 00 01 00000000 0000 26 04 04 01000000 fe 0000 e000 0000000000000000";
    /** The one that the client gets. */
    private static final int CLIENTS_HANDLE = 0x2000_0001;

    private final ClientStage stage = new ClientStage(false);

    @BeforeEach
    void prepareAndBegin() {
        stage.clientSends(Requests.calls(prepareAndExecute("SELECT 1")));
        stage.attach(Given.FITTING);
        stage.serverSends(true, ClientStage.tokens(HANDLE));
        stage.clientSends(Requests.batch("BEGIN TRANSACTION"));
        stage.attach(Given.FITTING); // another, which does not know the statement
        stage.serverSends(true, ClientStage.tokens(BEGAN + DONE));
        assertThat(stage.outcome()).contains("kept for TRANSACTION");
    }

    @AfterEach
    void strike() {
        stage.strike();
    }

    // A reset that the client asks for.

    @Test
    void aRequestThatIsGivenUpTakesItsResetToTheServer() {
        stage.clientSends(part(PacketHeader.STATUS_RESETCONNECTION));
        stage.clientSends(rpc(PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE, 8));
        assertThat(stage.outcome()).contains("server gets RPC, server gets RPC").doesNotContain("client gets");
        stage.serverSends(true, ClientStage.tokens(DONE_ERROR));
        assertThat(stage.outcome()).as("nobody knows whether it was reset").contains("client is closed");
    }

    @Test
    void aRequestThatIsCancelledBeforeItIsSentTakesItsResetToTheServer() {
        stage.clientSends(Requests.batch("SELECT 1"));
        stage.serverMustBeAsked();
        stage.serverSends(true, ClientStage.tokens(DONE));
        stage.clientSends(part(PacketHeader.STATUS_RESETCONNECTION), attention());
        stage.outcome();
        stage.serverSends(true, ClientStage.tokens(ONE));
        assertThat(stage.outcome()).contains("server gets RPC, server gets attention");
        stage.serverSends(true, ClientStage.tokens(DONE_ATTENTION));
        assertThat(stage.outcome()).contains("client is closed");
    }

    @Test
    void whoCancelsAPartOfARequestThatWasToResetItsSessionIsClosed() {
        stage.clientSends(part(PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN));
        stage.clientSends(attention());
        assertThat(stage.outcome()).contains("released dirty", "client is closed");
    }

    @Test
    void whoCancelsAPartOfAnyOtherRequestGoesOn() {
        stage.clientSends(part(0));
        stage.clientSends(attention());
        assertThat(stage.outcome()).endsWith("client gets DONE 0x2, client gets DONE 0x20");
    }

    @Test
    void aResetIsNotDroppedWithACallThatTheProxyWouldRefuse() {
        ByteBuf unreadable =
                Requests.calls(RpcCall.of(SystemProcedure.EXECUTE, RpcParameter.of("", TypeInfo.nvarchar(10), "1")));
        PacketHeader.setStatus(unreadable, PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        stage.clientSends(unreadable);
        assertThat(stage.outcome()).contains("client is closed").doesNotContain("error 8179");
    }

    // A statement that is prepared for the client, in its transaction.

    @Test
    void anErrorThatEndsTheTransactionUnheardEndsTheClient() {
        preparing();
        stage.serverSends(true, ClientStage.tokens(ERROR + ROLLED_BACK + DONE_ERROR));
        assertThat(stage.outcome()).contains("client is closed").doesNotContain("server gets RPC");
    }

    @Test
    void anErrorThatMayHaveEndedTheTransactionEndsTheClient() {
        preparing();
        stage.serverMustBeAsked();
        stage.serverSends(true, ClientStage.tokens(ERROR + DONE_ERROR));
        assertThat(stage.outcome()).contains("client is closed").doesNotContain("server gets RPC");
    }

    @Test
    void anErrorThatMayHaveEndedTheTransactionEndsAClientThatHasCancelledMeanwhile() {
        preparing();
        stage.clientSends(attention());
        stage.serverSends(true, ClientStage.tokens(ERROR + ROLLED_BACK + DONE_ERROR));
        assertThat(stage.outcome()).contains("client is closed").doesNotContain("client gets DONE");
    }

    @Test
    void anErrorThatLeavesTheTransactionIsTheServersToTell() {
        preparing();
        stage.serverSends(true, ClientStage.tokens(ERROR + DONE_ERROR));
        assertThat(stage.outcome()).contains("server gets RPC").doesNotContain("closed");
    }

    private void preparing() {
        stage.clientSends(Requests.calls(execute(CLIENTS_HANDLE), execute(CLIENTS_HANDLE)));
        assertThat(stage.phase()).isEqualTo(ClientPhase.PREPARING);
        assertThat(stage.outcome()).contains("server gets RPC");
    }

    // A response that the client does not get.

    @Test
    void aTransactionThatEndsInATimeoutIsTold() {
        timeOut();
        stage.serverSends(true, ClientStage.tokens(ROLLED_BACK + DONE_ATTENTION));
        assertThat(stage.outcome()).contains("client gets change 10 and error 50006");
    }

    @Test
    void aTransactionThatIsCommittedInATimeoutIsTold() {
        timeOut();
        stage.serverSends(true, ClientStage.tokens(COMMITTED + DONE_ATTENTION));
        assertThat(stage.outcome()).contains("client gets change 9 and error 50006");
    }

    @Test
    void aTransactionThatBeginsInATimeoutIsTold() {
        timeOut();
        stage.serverSends(true, ClientStage.tokens(ROLLED_BACK + BEGAN.replace("05", "06") + DONE_ATTENTION));
        assertThat(stage.outcome()).contains("client gets change 10 and change 8 and error 50006");
    }

    @Test
    void aTransactionThatOutlivesATimeoutIsNotToldOf() {
        timeOut();
        stage.serverSends(true, ClientStage.tokens(DONE_ATTENTION));
        assertThat(stage.outcome()).contains("client gets error 50006");
    }

    private void timeOut() {
        stage.clientSends(Requests.batch("SELECT 1"));
        stage.check(new ClientLimits(
                Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        assertThat(stage.phase()).isEqualTo(ClientPhase.TIMED_OUT);
        stage.outcome();
    }

    private static ByteBuf part(int status) {
        return rpc(status, PacketHeader.MIN_PACKET_SIZE);
    }

    private static ByteBuf rpc(int status, int bytes) {
        return Requests.packet(
                PacketType.RPC, status, Unpooled.buffer().writeIntLE(4).writeZero(bytes - Integer.BYTES));
    }

    private static ByteBuf attention() {
        return Requests.packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.EMPTY_BUFFER);
    }
}

package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.TransactionRequest.Action;
import dev.comporta.tds.request.TransactionRequest.Begin;
import dev.comporta.tds.request.TransactionRequest.Commit;
import dev.comporta.tds.request.TransactionRequest.GetDtcAddress;
import dev.comporta.tds.request.TransactionRequest.Promote;
import dev.comporta.tds.request.TransactionRequest.Propagate;
import dev.comporta.tds.request.TransactionRequest.Rollback;
import dev.comporta.tds.request.TransactionRequest.Save;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransactionRequestTest {
    private static final String HEADERS = "16000000 12000000 0200 0500000000000000 01000000 ";
    private static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);

    private static final Map<String, Action> ALL = new LinkedHashMap<>();

    static {
        ALL.put("0000 0000", new GetDtcAddress());
        ALL.put("0100 0300 010203", new Propagate(new byte[] {1, 2, 3}));
        ALL.put("0100 0000", new Propagate(new byte[0]));
        ALL.put("0500 00 00", new Begin(IsolationLevel.CURRENT, ""));
        ALL.put("0500 05 04 \"t1\"", new Begin(IsolationLevel.SNAPSHOT, "t1"));
        ALL.put("0600", new Promote());
        ALL.put("0700 00 00", new Commit("", null));
        ALL.put("0700 04 \"t1\" 01 02 00", new Commit("t1", new Begin(IsolationLevel.READ_COMMITTED, "")));
        ALL.put("0800 04 \"s1\" 00", new Rollback("s1", null));
        ALL.put("0800 00 01 04 02 \"n\"", new Rollback("", new Begin(IsolationLevel.SERIALIZABLE, "n")));
        ALL.put("0900 04 \"s1\"", new Save("s1"));
    }

    @Test
    void everyActionIsRead() {
        assertThat(ALL.values().stream().map(Object::getClass).distinct())
                .as("a row for each kind of action")
                .hasSize(Action.class.getPermittedSubclasses().length);
        ALL.forEach((bytes, action) -> {
            TransactionRequest read =
                    Fixture.ofText(HEADERS + bytes).replayAllOrNothing(body -> TransactionRequest.read(body, TDS_7_4));
            assertThat(read).isEqualTo(new TransactionRequest(AllHeaders.inTransaction(5), action));
        });
    }

    @Test
    void everyActionIsWritten() {
        ALL.forEach((bytes, action) -> {
            ByteBuf out = Unpooled.buffer();
            new TransactionRequest(AllHeaders.inTransaction(5), action).write(out, TDS_7_4);
            assertThat(ByteBufUtil.hexDump(out))
                    .isEqualTo(
                            ByteBufUtil.hexDump(Fixture.ofText(HEADERS + bytes).bytes()));
        });
    }

    @Test
    void requestOfTds71HasNoHeaders() {
        ByteBuf body = Unpooled.wrappedBuffer(Fixture.ofText("0000 0000").bytes());
        assertThat(TransactionRequest.read(body, RequestFormat.of(TdsVersion.V7_1)))
                .isEqualTo(new TransactionRequest(AllHeaders.AUTOCOMMIT, new GetDtcAddress()));
    }

    @Test
    void nonsenseIsRefused() {
        for (String bad : new String[] {"0200", "0a00", "0500 06 00", "0500 00 01 00", "0700 01 00 00"}) {
            ByteBuf body = Unpooled.wrappedBuffer(Fixture.ofText(HEADERS + bad).bytes());
            assertThatThrownBy(() -> TransactionRequest.read(body, TDS_7_4))
                    .as(bad)
                    .isInstanceOf(ProtocolException.class);
        }
    }
}

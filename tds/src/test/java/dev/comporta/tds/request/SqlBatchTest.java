package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlBatchTest {
    private static final Fixture BATCH = Fixture.ofText("""
            16000000 12000000 0200 0500000000000000 01000000
            "SELECT 'ação'"
            """);

    private static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);
    private static final RequestFormat TDS_7_1 = RequestFormat.of(TdsVersion.V7_1);
    private static final RequestFormat ENCLAVES = new RequestFormat(TdsVersion.V7_4, true);

    @Test
    void textIsReadWithItsTransaction() {
        SqlBatch batch = BATCH.replay(body -> SqlBatch.read(body, TDS_7_4));
        assertThat(batch).isEqualTo(new SqlBatch(AllHeaders.inTransaction(5), "SELECT 'ação'"));
    }

    @Test
    void whatIsWrittenReadsBackTheSame() {
        for (RequestFormat format : List.of(TDS_7_1, TDS_7_4, ENCLAVES)) {
            SqlBatch batch =
                    new SqlBatch(format == TDS_7_1 ? AllHeaders.AUTOCOMMIT : AllHeaders.inTransaction(7), "x\uD800 y");
            ByteBuf out = Unpooled.buffer();
            batch.write(out, format);
            assertThat(SqlBatch.read(out, format)).isEqualTo(batch);
        }
    }

    @Test
    void enclavePackageIsPassedOver() {
        Fixture fixture = Fixture.ofText("""
                16000000 12000000 0200 0000000000000000 01000000
                0500 ff00ff00aa   # the package for the enclave
                "SELECT 1"
                """);
        SqlBatch batch = fixture.replay(body -> SqlBatch.read(body, ENCLAVES));
        assertThat(batch).isEqualTo(new SqlBatch(AllHeaders.AUTOCOMMIT, "SELECT 1"));
        for (int size = 1; size <= fixture.bytes().length; size++) {
            ByteBuf text = Unpooled.buffer();
            SqlBatchWalker walker = new SqlBatchWalker(ENCLAVES, text::writeBytes);
            Packets.of(Unpooled.wrappedBuffer(fixture.bytes()), size, 1).forEach(walker::walk);
            assertThat(text.toString(StandardCharsets.UTF_16LE))
                    .as("in packets of %d", size)
                    .isEqualTo("SELECT 1");
        }
    }

    @Test
    void halfACharacterIsRefused() {
        assertThatThrownBy(() -> SqlBatch.read(Unpooled.wrappedBuffer(new byte[3]), TDS_7_1))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void walkerShowsTheTextOfEveryMessageWhereverItsPacketsAreCut() {
        for (RequestFormat format : List.of(TDS_7_1, TDS_7_4, ENCLAVES)) {
            ByteBuf body = Unpooled.buffer();
            new SqlBatch(AllHeaders.AUTOCOMMIT, "SELECT 'ação'").write(body, format);
            for (int size = 1; size <= body.readableBytes(); size++) {
                ByteBuf text = Unpooled.buffer();
                SqlBatchWalker walker = new SqlBatchWalker(format, text::writeBytes);
                for (int message = 0; message < 2; message++) {
                    Packets.of(body.duplicate(), size, 1).forEach(walker::walk);
                }
                assertThat(text.toString(StandardCharsets.UTF_16LE)).isEqualTo("SELECT 'ação'SELECT 'ação'");
            }
        }
    }

    @Test
    void walkerRefusesABatchThatEndsInItsHeaders() {
        SqlBatchWalker walker = new SqlBatchWalker(TDS_7_4, (packet, index, length) -> {});
        byte[] bytes = BATCH.bytes();
        for (int length = 0; length < 22; length++) {
            List<ByteBuf> cut = new ArrayList<>(Packets.of(Unpooled.wrappedBuffer(bytes, 0, length), 512, 1));
            assertThatThrownBy(() -> cut.forEach(walker::walk)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void walkerBearsABatchThatIsGivenUpAnywhere() {
        ByteBuf text = Unpooled.buffer();
        SqlBatchWalker walker = new SqlBatchWalker(TDS_7_4, text::writeBytes);
        byte[] bytes = BATCH.bytes();
        for (int length = 0; length <= bytes.length; length++) {
            Packets.of(Unpooled.wrappedBuffer(bytes, 0, length), 512, 3).forEach(walker::walk);
            text.clear();
            Packets.of(Unpooled.wrappedBuffer(bytes), 512, 1).forEach(walker::walk);
            assertThat(text.toString(StandardCharsets.UTF_16LE))
                    .as("given up after %d bytes", length)
                    .isEqualTo("SELECT 'ação'");
        }
    }
}

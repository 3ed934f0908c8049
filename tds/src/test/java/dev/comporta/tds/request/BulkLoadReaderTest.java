package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulkLoadReaderTest {
    private static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);

    @Test
    void rowsAreRead() {
        Fixture fixture = Fixture.load("request/bulk-load");
        List<List<Object>> rows = fixture.replay(body -> rows(body, TDS_7_4));
        assertThat(rows)
                .containsExactly(
                        Arrays.asList(1, "um", "longo"), Arrays.asList(2, null, null), Arrays.asList(3, null, "x"));
        assertThat(new BulkLoadReader(Unpooled.wrappedBuffer(fixture.bytes()), TDS_7_4).columns())
                .extracting(BulkLoadReader.Column::name)
                .containsExactly("id", "n", "t");
    }

    @Test
    void userTypesOfTds71AreShorter() {
        Fixture fixture = Fixture.ofText("""
                81 0100  0000 0000 26 04 01 "a"   # a column
                d1 04 05000000                    # a row, and the message ends
                """);
        List<List<Object>> rows = fixture.replay(body -> rows(body, RequestFormat.of(TdsVersion.V7_1)));
        assertThat(rows).containsExactly(List.of(5));
    }

    @Test
    void anythingButMetadataAndRowsIsRefused() {
        for (String bad : new String[] {"", "d1", "81 0000", "81 ffff", "81 0100 00000000 0000 1f 00"}) {
            assertRefused(bad);
        }
        assertRefused("81 0100 00000000 0000 26 04 00 aa");
    }

    private static void assertRefused(String bytes) {
        ByteBuf body = Unpooled.wrappedBuffer(Fixture.ofText(bytes).bytes());
        assertThatThrownBy(() -> rows(body, TDS_7_4)).as(bytes).isInstanceOf(ProtocolException.class);
    }

    static List<List<Object>> rows(ByteBuf body, RequestFormat format) {
        BulkLoadReader reader = new BulkLoadReader(body, format);
        List<List<Object>> rows = new ArrayList<>();
        while (reader.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 0; i < reader.columns().size(); i++) {
                row.add(reader.value(i));
            }
            rows.add(row);
        }
        return rows;
    }
}

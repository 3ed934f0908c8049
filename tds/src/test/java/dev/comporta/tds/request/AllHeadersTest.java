package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.request.AllHeaders.QueryNotification;
import dev.comporta.tds.request.AllHeaders.TraceActivity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AllHeadersTest {
    private static final Fixture ALL = Fixture.load("request/all-headers");

    private static final AllHeaders EXPECTED = new AllHeaders(
            0x0807060504030201L,
            1,
            new QueryNotification("n1", "svc", 60_000),
            new TraceActivity(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 7));

    @Test
    void everyHeaderIsReadAndUnknownOnesArePassedOver() {
        assertThat(ALL.replayAllOrNothing(AllHeaders::read)).isEqualTo(EXPECTED);
    }

    @Test
    void whatIsWrittenReadsBackTheSame() {
        for (AllHeaders headers : new AllHeaders[] {
            EXPECTED,
            AllHeaders.AUTOCOMMIT,
            AllHeaders.inTransaction(-2),
            new AllHeaders(1, 3, new QueryNotification("", "", null), null)
        }) {
            ByteBuf out = Unpooled.buffer();
            headers.write(out);
            out.writeByte(9);
            assertThat(AllHeaders.read(out)).isEqualTo(headers);
            assertThat(out.readableBytes()).as("what follows is left alone").isEqualTo(1);
        }
    }

    @Test
    void headersArePassedOver() {
        ByteBuf body = Unpooled.buffer().writeBytes(ALL.bytes()).writeByte(9);
        AllHeaders.skip(body);
        assertThat(body.readableBytes()).isEqualTo(1);
    }

    @Test
    void lengthsThatLieAreRefused() {
        assertRefused(Unpooled.buffer().writeIntLE(3), "ALL_HEADERS of 3 bytes");
        assertRefused(Unpooled.buffer().writeIntLE(-1), "ALL_HEADERS of 4294967295 bytes");
        assertRefused(Unpooled.buffer().writeIntLE(10).writeIntLE(5).writeShort(0), "header of 5 bytes");
        assertRefused(Unpooled.buffer().writeIntLE(10).writeIntLE(7).writeShort(0), "header of 7 bytes");
        assertRefused(Unpooled.buffer().writeIntLE(8).writeIntLE(4), "header of 0 bytes");
        assertRefused(Unpooled.buffer().writeIntLE(10).writeIntLE(6).writeShortLE(2), "header 2 of ALL_HEADERS");
    }

    private static void assertRefused(ByteBuf body, String message) {
        assertThatThrownBy(() -> AllHeaders.read(body))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(message);
    }
}

package dev.comporta.tds.token.walk;

import static dev.comporta.tds.token.walk.Walks.DONE;
import static dev.comporta.tds.token.walk.Walks.DONE_EVENT;
import static dev.comporta.tds.token.walk.Walks.V71;
import static dev.comporta.tds.token.walk.Walks.V74;
import static dev.comporta.tds.token.walk.Walks.assertCutShort;
import static dev.comporta.tds.token.walk.Walks.assertRefused;
import static dev.comporta.tds.token.walk.Walks.assertWalked;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** What a walker can't walk it says, with the place, and never guesses. */
class WalkerRefusalTest {
    @Test
    void rowsWithoutMetadataAreRefused() {
        assertRefused(V74, "d1 00", "ROW at byte 0", "not described");
        assertRefused(V74, "d2 00", "NBCROW at byte 0", "not described");
        assertRefused(V74, "81 ffff d1 00", "ROW at byte 3", "not described");
        assertRefused(V74, "d3 0100", "ALTROW", "clause 1");
    }

    @Test
    void noMetadataIsFineWithoutRows() {
        assertWalked(V74, "81 ffff" + DONE, "result set", DONE_EVENT);
    }

    @Test
    void metadataDoesNotOutliveItsResponse() {
        TokenWalker walker = new TokenWalker(V74, new RecordingSink(false));
        byte[] first = Fixture.ofText("81 0100 00000000 0000 38 00" + DONE).bytes();
        walker.walk(Unpooled.wrappedBuffer(first), 0, first.length, true);
        byte[] second = Fixture.ofText("d1 01000000" + DONE).bytes();
        assertThatThrownBy(() -> walker.walk(Unpooled.wrappedBuffer(second), 0, second.length, true))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("not described");
    }

    @Test
    void whatCannotBeWalkedIsNamedWithItsPlace() {
        assertRefused(V74, DONE + "42", "token 0x42 at byte 13");
        assertRefused(V74, "01", "TVP_ROW at byte 0");
        assertRefused(V74, "78 0000 0000", "OFFSET", "V7_4");
        assertRefused(V74, "81 0100 00000000 0000 99", "COLMETADATA", "0x99");
        assertRefused(V74, "81 0100 00000000 0000 f3", "COLMETADATA", "TVP");
        assertRefused(V71, "81 0100 0000 0000 f1 00 00", "XML", "V7_1");
        assertRefused(V71, "81 0100 0000 0000 ef ffff", "NCHAR(max)");
        assertRefused(V74, "81 0100 00000000 0000 2a 08", "scale 8");
        assertRefused(V74, "81 0100 00000000 0000 2604 00 d1 08", "ROW at byte 12", "8 bytes", "at most 4");
        assertRefused(V74, "81 0100 00000000 0000 a5 0200 00 d1 0300", "ROW", "3 bytes");
        assertRefused(V74, "81 0100 00000000 0000 62 ffffff7f 00 d1 feffffff", "ROW", "4294967294");
        assertRefused(V74, "e3 0000", "ENVCHANGE", "empty");
        assertRefused(V74, "e3 0300 01 05 00", "ENVCHANGE", "longer than the token");
        assertRefused(V74, "e3 0400 08 02 0102", "ENVCHANGE", "descriptor of 2 bytes");
        assertRefused(V74, "e3 0400 04 01 4100", "ENVCHANGE", "not a number");
        assertRefused(V74, "aa 0500 00000000 00 00", "ERROR", "too short");
        assertRefused(V74, "aa 0800 00000000 00 00 0500", "ERROR", "text");
        assertRefused(V74, "ae 01 00000100", "FEATUREEXTACK", "65536 bytes");
        assertRefused(V74, "ac 0000 00 01 00000000 0000 2604 03", "RETURNVALUE", "3 bytes");
    }

    @Test
    void messageMustNotEndInTheMiddle() {
        assertCutShort("fd 0000");
        assertCutShort("fd 0100 0000 0000000000000000");
        assertCutShort("81 0100 00000000 0000 38 00 d1 0100");
        assertCutShort("a9 0400 0100");
        assertCutShort("");
    }

    @Test
    void lostPlaceStaysLost() {
        TokenWalker walker = new TokenWalker(V74, new RecordingSink(false));
        assertThatThrownBy(() -> walker.walk(Unpooled.wrappedBuffer(new byte[] {0x42}), 0, 1, false))
                .isInstanceOf(ProtocolException.class);
        byte[] done = Fixture.ofText(DONE).bytes();
        assertThatThrownBy(() -> walker.walk(Unpooled.wrappedBuffer(done), 0, done.length, true))
                .isInstanceOf(ProtocolException.class);
    }
}

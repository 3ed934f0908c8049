package dev.comporta.tds.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntegerAnswerTest {
    private static final WireFormat V7_4 = new WireFormat(TdsVersion.V7_4);
    private static final WireFormat V7_1 = new WireFormat(TdsVersion.V7_1);

    /** SELECT @@TRANCOUNT as Babelfish 4.3 answers it: one INTN, called trancount. */
    private static final String COLUMN = "81 0100 00000000 0900 26 04 09 7400720061006e0063006f0075006e007400";

    private static final String ROW = "d1 04 01000000";
    private static final String DONE = "fd 1000 c100 0100000000000000";

    @Test
    void theValueOfOneRowIsTheAnswer() {
        assertThat(read(V7_4, COLUMN + ROW + DONE)).isEqualTo(1);
        assertThat(read(V7_4, COLUMN + "d1 04 00000000" + DONE)).isZero();
    }

    @Test
    void beforeTds72UserTypesAndCountsAreShorter() {
        assertThat(read(V7_1, "81 0100 0000 0900 26 04 00" + ROW + "fd 1000 c100 01000000"))
                .isEqualTo(1);
        assertThat(read(V7_4, "81 0100 0000 0900 26 04 00" + ROW + "fd 1000 c100 01000000"))
                .isEqualTo(IntegerAnswer.NONE);
    }

    @Test
    void aColumnThatCanNotBeNullIsAnAnswerToo() {
        assertThat(read(V7_4, "81 0100 00000000 0000 38 00" + "d1 02000000" + DONE))
                .isEqualTo(2);
    }

    /** A reset's acknowledgement, an INFO, or the end of a statement before the SELECT. */
    @ValueSource(strings = {"e3 0300 12 00 00", "ab 0200 00 00", "fd 0100 0200 0000000000000000"})
    @ParameterizedTest
    void whatMayStandBeforeIsPassedOver(String before) {
        assertThat(read(V7_4, before + COLUMN + ROW + DONE)).isEqualTo(1);
    }

    @ValueSource(
            strings = {
                "",
                DONE,
                COLUMN + DONE,
                COLUMN + ROW,
                ROW + DONE,
                COLUMN + ROW + ROW + DONE,
                COLUMN + "d1 00" + DONE,
                COLUMN + ROW + "fd 1100 c100 0100000000000000",
                COLUMN + ROW + "fd 0200 c100 0000000000000000",
                COLUMN + ROW + "fd 2000 c100 0000000000000000",
                "aa 0200 00 00" + COLUMN + ROW + DONE,
                COLUMN + ROW + "aa 0200 00 00" + DONE,
                COLUMN + ROW + COLUMN + ROW + DONE,
                "81 0100 00000000 0900 26 08 00 d1 08 0100000000000000" + DONE,
                "81 0100 00000000 0900 6d 04 00 d1 04 01000000" + DONE,
                "81 0200 00000000 0900 26 04 00 00000000 0900 26 04 00 d1 04 01000000 04 01000000" + DONE,
                COLUMN + "d1 04 0100",
                COLUMN + ROW + DONE + "00",
            })
    @ParameterizedTest
    void anythingElseIsNoAnswer(String response) {
        assertThat(read(V7_4, response)).isEqualTo(IntegerAnswer.NONE);
    }

    @Test
    void cutAnywhereItIsNoAnswer() {
        String whole = (COLUMN + ROW + DONE).replace(" ", "");
        for (int bytes = 0; bytes < whole.length() / 2; bytes++) {
            assertThat(read(V7_4, whole.substring(0, 2 * bytes))).isEqualTo(IntegerAnswer.NONE);
        }
    }

    private static long read(WireFormat format, String hex) {
        ByteBuf response = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));
        return IntegerAnswer.read(response, format);
    }
}

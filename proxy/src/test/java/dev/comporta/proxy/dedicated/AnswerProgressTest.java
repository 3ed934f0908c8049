package dev.comporta.proxy.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class AnswerProgressTest {
    /** A packet of two bytes that is not the last, one of three that is; then a message without a body. */
    private static final byte[] MESSAGES =
            ByteBufUtil.decodeHexDump("0400000a00000100" + "0101" + "0401000b00000200" + "010101" + "0401000800000100");

    @Test
    void aMessageIsCompleteWithTheLastByteOfItsLastPacket() {
        for (int length = 0; length <= MESSAGES.length; length++) {
            AnswerProgress whole = new AnswerProgress();
            whole.passed(Unpooled.wrappedBuffer(MESSAGES, 0, length));
            AnswerProgress byteByByte = new AnswerProgress();
            for (int i = 0; i < length; i++) {
                byteByByte.passed(Unpooled.wrappedBuffer(MESSAGES, i, 1));
            }
            boolean complete = length == 0 || length == 21 || length == 29;
            assertThat(whole.isComplete()).as("after %d bytes", length).isEqualTo(complete);
            assertThat(byteByByte.isComplete()).as("after %d bytes", length).isEqualTo(complete);
        }
    }

    @Test
    void onlyReadsWhatIsToCome() {
        ByteBuf bytes = Unpooled.wrappedBuffer(MESSAGES);
        bytes.skipBytes(21);
        AnswerProgress progress = new AnswerProgress();
        progress.passed(bytes);
        assertThat(progress.isComplete()).isTrue();
        assertThat(bytes.readerIndex()).isEqualTo(21);
    }
}

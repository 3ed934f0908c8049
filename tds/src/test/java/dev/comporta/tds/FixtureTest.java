package dev.comporta.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture.StreamParser;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The helper that judges parsers has to see what is wrong with them. */
class FixtureTest {
    private final Fixture fixture = Fixture.ofText("""
            01 0203   # grouped at will
            "Hé#" ff
            """);

    @Test
    void hexTextAndCommentsAreRead() {
        assertThat(fixture.bytes()).containsExactly(1, 2, 3, 'H', 0, 0xe9, 0, '#', 0, 0xff);
    }

    @Test
    void parserThatReadsTheSameOfEveryDeliveryPasses() {
        int whole = fixture.replay(ByteBuf::readableBytes);
        assertThat(whole).isEqualTo(10);
    }

    @Test
    void parserThatDependsOnContiguousBytesIsCaught() {
        assertThatThrownBy(() -> fixture.replay(ByteBuf::hasArray)).isInstanceOf(AssertionError.class);
    }

    @Test
    void parserThatKeepsABorrowedBufferIsCaught() {
        assertThatThrownBy(() -> fixture.replay(buf -> buf.retain().readableBytes()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("borrowed buffer");
    }

    @Test
    void parserThatLeaksACopyIsCaught() {
        List<ByteBuf> leaked = new ArrayList<>();
        assertThatThrownBy(() -> fixture.replay(buf -> leaked.add(buf.copy())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nobody released");
        leaked.forEach(ByteBuf::release);
    }

    @Test
    void parserThatAcceptsHalfAMessageIsCaught() {
        assertThatThrownBy(() -> fixture.replayAllOrNothing(ByteBuf::readableBytes))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void parserThatThrowsAnythingElseIsCaught() {
        assertThatThrownBy(() -> fixture.replay(buf -> buf.readBytes(10).release()))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void streamParserThatDependsOnItsPiecesIsCaught() {
        assertThatThrownBy(() -> fixture.replayStream(PieceCounter::new)).isInstanceOf(AssertionError.class);
    }

    @Test
    void streamParserThatKeepsAPieceIsCaught() {
        List<ByteBuf> kept = new ArrayList<>();
        assertThatThrownBy(() -> fixture.replayStream(() -> new PieceCounter() {
                    @Override
                    public void feed(ByteBuf piece) {
                        kept.add(piece);
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nobody released");
        kept.forEach(ByteBuf::release);
    }

    private static class PieceCounter implements StreamParser<Integer> {
        private int pieces;

        @Override
        public void feed(ByteBuf piece) {
            piece.release();
            pieces++;
        }

        @Override
        public Integer result() {
            return pieces;
        }
    }
}

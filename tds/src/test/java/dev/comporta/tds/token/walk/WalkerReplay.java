package dev.comporta.tds.token.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * Walks a response as one packet and cut into packets of every size, on the heap and outside of it, always with the same
 * events.
 */
final class WalkerReplay implements Fixture.StreamParser<List<String>> {
    private final RecordingSink sink;
    private final TokenWalker walker;
    private final RecordingSink outsideSink;
    private final TokenWalker outside;

    private WalkerReplay(WireFormat format, boolean wantsText) {
        sink = new RecordingSink(wantsText);
        walker = new TokenWalker(format, sink);
        outsideSink = new RecordingSink(wantsText);
        outside = new TokenWalker(format, outsideSink);
    }

    static List<String> replay(Fixture response, WireFormat format) {
        return replay(response, format, true);
    }

    static List<String> replay(Fixture response, WireFormat format, boolean wantsText) {
        return response.replayStream(() -> new WalkerReplay(format, wantsText));
    }

    @Override
    public void feed(ByteBuf piece) {
        try {
            OutsideHeap.walk(outside, piece, piece.readerIndex(), piece.writerIndex(), false);
            walker.walk(piece, piece.readerIndex(), piece.writerIndex(), false);
        } finally {
            piece.release();
        }
    }

    @Override
    public List<String> result() {
        walker.walk(Unpooled.EMPTY_BUFFER, 0, 0, true);
        outside.walk(Unpooled.EMPTY_BUFFER, 0, 0, true);
        assertThat(outsideSink.events).as("outside of the heap").isEqualTo(sink.events);
        return sink.events;
    }
}

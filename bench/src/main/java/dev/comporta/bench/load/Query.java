package dev.comporta.bench.load;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.CannedAnswers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A request of {@link LoadClient}, and the answer of {@link InstantServer}. Both are encoded once and sent unchanged. */
final class Query {
    static final Query ONE_ROW = new Query("SELECT 42 AS answer", 1);
    static final Query MANY_ROWS = new Query("SELECT n FROM numbers", 2_000);

    private final ByteBuf request;
    private final ByteBuf answer;
    private final ByteBuf answerAfterReset;

    private Query(String text, int rows) {
        request = message(PacketType.SQL_BATCH, batch(text));
        answer = message(PacketType.TABULAR_RESULT, rows(rows, false));
        answerAfterReset = message(PacketType.TABULAR_RESULT, rows(rows, true));
    }

    /** The query of a packet; the first if it matches none. */
    static Query of(ByteBuf packet) {
        return MANY_ROWS.isAskedBy(packet) ? MANY_ROWS : ONE_ROW;
    }

    /** Compares the bytes after the header, in which a proxy may set bits. */
    private boolean isAskedBy(ByteBuf packet) {
        int length = request.readableBytes() - PacketHeader.LENGTH;
        return packet.readableBytes() == request.readableBytes()
                && ByteBufUtil.equals(
                        packet,
                        packet.readerIndex() + PacketHeader.LENGTH,
                        request,
                        request.readerIndex() + PacketHeader.LENGTH,
                        length);
    }

    ByteBuf request() {
        return request.retainedDuplicate();
    }

    ByteBuf answer(boolean afterReset) {
        return (afterReset ? answerAfterReset : answer).retainedDuplicate();
    }

    private static ByteBuf batch(String text) {
        ByteBuf out = Unpooled.buffer();
        AllHeaders.AUTOCOMMIT.write(out);
        out.writeBytes(text.getBytes(StandardCharsets.UTF_16LE));
        return out;
    }

    private static ByteBuf rows(int count, boolean afterReset) {
        RowFormat format = new RowFormat(TdsVersion.V7_4, List.of(new ColumnMetadata("answer", TypeInfo.intN(4))));
        ByteBuf out = Unpooled.buffer();
        if (afterReset) {
            CannedAnswers.TOKENS.resetAcknowledged(out);
        }
        format.writeMetadata(out);
        for (int i = 0; i < count; i++) {
            format.writeRow(out, new Object[] {42});
        }
        CannedAnswers.TOKENS.done(out, DoneStatus.COUNT, 0xC1, count);
        return out;
    }

    /** In packets of the default size. */
    private static ByteBuf message(int type, ByteBuf body) {
        ByteBuf all = Unpooled.directBuffer();
        MessageWriter writer = new MessageWriter(UnpooledByteBufAllocator.DEFAULT, (packets, _) -> {
            all.writeBytes(packets);
            packets.release();
        });
        writer.begin(type).writeBytes(body).end();
        return Unpooled.unreleasableBuffer(all);
    }
}

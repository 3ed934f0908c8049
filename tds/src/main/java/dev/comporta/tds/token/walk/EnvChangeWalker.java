package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenSink;
import io.netty.buffer.ByteBuf;

/** Walks ENVCHANGE: gathers its values for {@link EnvChangeReader}, except those of a promotion, which may be long. */
final class EnvChangeWalker {
    /** Where the end of a packet interrupted the walk. */
    private enum State {
        LENGTH,
        TYPE,
        VALUES,
        PROMOTION_LENGTH,
        PROMOTION_END
    }

    private final Cursor cursor;
    private final TokenSink sink;
    private final EnvChangeReader reader;
    private State state = State.LENGTH;
    private int length;
    private int type;

    EnvChangeWalker(Cursor cursor, TokenSink sink) {
        this.cursor = cursor;
        this.sink = sink;
        reader = new EnvChangeReader(sink);
    }

    /** @return false if the rest is in the next packet */
    boolean walk(ByteBuf packet) {
        return state == State.LENGTH ? length(packet) : goOn(packet);
    }

    private boolean goOn(ByteBuf packet) {
        return switch (state) {
            case LENGTH -> length(packet);
            case TYPE -> type(packet);
            case VALUES -> values(packet);
            case PROMOTION_LENGTH -> promotionLength(packet);
            case PROMOTION_END -> promotionEnd(packet);
        };
    }

    /** Returns to the start state. A token that is whole in its packet is walked without a write to the state. */
    private boolean over() {
        if (state != State.LENGTH) {
            state = State.LENGTH;
        }
        return true;
    }

    private boolean stopIn(State unfinished) {
        state = unfinished;
        return false;
    }

    private boolean length(ByteBuf packet) {
        if (!cursor.take(packet, 2)) {
            return stopIn(State.LENGTH);
        }
        length = (int) cursor.field;
        if (length == 0) {
            throw new ProtocolException("it is empty");
        }
        return type(packet);
    }

    private boolean type(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return stopIn(State.TYPE);
        }
        type = (int) cursor.field;
        // The length field of a promotion covers its type only: its token may be longer than two bytes can express.
        return type == EnvChange.PROMOTE_TRANSACTION ? promotionLength(packet) : values(packet);
    }

    private boolean values(ByteBuf packet) {
        if (!cursor.gather(packet, length - 1)) {
            return stopIn(State.VALUES);
        }
        reader.read(type, cursor.gathered(packet), cursor.gatheredFrom(), length - 1);
        if (type == EnvChange.MIRRORING_PARTNER) {
            int bytes = 1 + Short.BYTES + length;
            sink.mirrored(cursor.position() - bytes, bytes);
        }
        return over();
    }

    private boolean promotionLength(ByteBuf packet) {
        if (!cursor.take(packet, 4)) {
            return stopIn(State.PROMOTION_LENGTH);
        }
        cursor.skip(cursor.field);
        sink.transactionPromoted();
        return promotionEnd(packet);
    }

    private boolean promotionEnd(ByteBuf packet) {
        if (!cursor.take(packet, 1)) {
            return stopIn(State.PROMOTION_END);
        }
        cursor.skip(cursor.field);
        return over();
    }
}

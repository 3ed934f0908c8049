package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;

/** Walks LOGINACK and FEATUREEXTACK, and keeps what they negotiate about the format of later tokens. */
final class LoginResponseWalker {
    private enum State {
        LENGTH,
        LOGINACK,
        FEATURE,
        FEATURE_LENGTH,
        FEATURE_DATA
    }

    private static final int FEATURE_TERMINATOR = 0xFF;

    /** Longer than any known feature's data: that of session recovery has a few hundred bytes. */
    private static final int MAX_FEATURE_BYTES = 0xFFFF;

    /** The values by which servers denote 7.0, and 7.1 without its service pack; clients use other values. */
    private static final int VERSION_7_0 = 0x07000000;

    private static final int VERSION_7_1 = 0x07010000;

    private final Cursor cursor;
    private final TokenSink sink;
    private State state = State.LENGTH;
    private WireFormat format = new WireFormat(TdsVersion.V7_4);
    private int length;
    private int feature;

    LoginResponseWalker(Cursor cursor, TokenSink sink) {
        this.cursor = cursor;
        this.sink = sink;
    }

    void begin(WireFormat current) {
        format = current;
        state = State.LENGTH;
    }

    WireFormat format() {
        return format;
    }

    /** @return false if the rest is in the next packet */
    boolean walkLoginAck(ByteBuf packet) {
        if (state == State.LENGTH) {
            if (!cursor.take(packet, 2)) {
                return false;
            }
            length = (int) cursor.field;
            state = State.LOGINACK;
        }
        if (!cursor.gather(packet, length)) {
            return false;
        }
        loginAck(cursor.gathered(packet).slice(cursor.gatheredFrom(), length));
        return true;
    }

    private void loginAck(ByteBuf body) {
        try {
            body.skipBytes(1); // the interface: T-SQL is the only one
            int value = body.readInt();
            TdsVersion version = switch (value) {
                case VERSION_7_0 -> TdsVersion.V7_0;
                case VERSION_7_1 -> TdsVersion.V7_1;
                default -> TdsVersion.negotiate(value);
            };
            format = format.with(version);
            sink.loginAcknowledged(version, Ucs2.readByteLength(body), body.readInt());
        } catch (IndexOutOfBoundsException _) {
            throw new ProtocolException("its fields are longer than the token");
        }
    }

    /** @return false if the rest is in the next packet */
    boolean walkFeatures(ByteBuf packet) {
        while (true) {
            switch (state) {
                case LENGTH, LOGINACK, FEATURE -> {
                    if (!cursor.take(packet, 1)) {
                        return false;
                    }
                    feature = (int) cursor.field;
                    if (feature == FEATURE_TERMINATOR) {
                        return true;
                    }
                    state = State.FEATURE_LENGTH;
                }
                case FEATURE_LENGTH -> {
                    if (!cursor.take(packet, 4)) {
                        return false;
                    }
                    if (cursor.field > MAX_FEATURE_BYTES) {
                        throw new ProtocolException("%d bytes for feature %d".formatted(cursor.field, feature));
                    }
                    length = (int) cursor.field;
                    state = State.FEATURE_DATA;
                }
                case FEATURE_DATA -> {
                    if (!cursor.gather(packet, length)) {
                        return false;
                    }
                    feature(cursor.gathered(packet).slice(cursor.gatheredFrom(), length));
                    state = State.FEATURE;
                }
            }
        }
    }

    private void feature(ByteBuf data) {
        format = switch (feature) {
            case WireFormat.COLUMNENCRYPTION -> format.withColumnEncryption(byteAt(data, 0) != 0);
            case WireFormat.DATACLASSIFICATION ->
                format.withDataClassification(byteAt(data, 1) != 0 ? byteAt(data, 0) : 0);
            default -> format;
        };
        sink.featureAcknowledged(feature, data);
    }

    private static int byteAt(ByteBuf data, int index) {
        return index < data.readableBytes() ? data.getUnsignedByte(data.readerIndex() + index) : 0;
    }
}

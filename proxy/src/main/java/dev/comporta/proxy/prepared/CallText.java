package dev.comporta.proxy.prepared;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;

/** Writes parts of the proxy's own calls of system procedures. */
final class CallText {
    static final int BY_NUMBER = 0xFFFF;

    /** The most bytes that NVARCHAR holds without being MAX. */
    private static final int MOST_SHORT_BYTES = 8000;

    private static final int PLP_MAX_LENGTH = 0xFFFF;
    private static final int COLLATION_BYTES = 5;

    private CallText() {}

    static void writeHead(ByteBuf out, int procedure, int optionFlags) {
        out.writeShortLE(BY_NUMBER).writeShortLE(procedure).writeShortLE(optionFlags);
    }

    /**
     * Writes a parameter without a name. Its collation is zero, as it does not matter for Unicode.
     *
     * @param text in UTF-16LE
     */
    static void writeParameter(ByteBuf out, byte[] text, TdsVersion version) {
        out.writeByte(0).writeByte(0);
        if (text.length <= MOST_SHORT_BYTES) {
            out.writeByte(DataType.NVARCHAR.code())
                    .writeShortLE(MOST_SHORT_BYTES)
                    .writeZero(COLLATION_BYTES);
            out.writeShortLE(text.length).writeBytes(text);
        } else if (version.hasPartialLengthValues()) {
            out.writeByte(DataType.NVARCHAR.code()).writeShortLE(PLP_MAX_LENGTH).writeZero(COLLATION_BYTES);
            out.writeLongLE(text.length)
                    .writeIntLE(text.length)
                    .writeBytes(text)
                    .writeIntLE(0);
        } else {
            out.writeByte(DataType.NTEXT.code()).writeIntLE(text.length).writeZero(COLLATION_BYTES);
            out.writeIntLE(text.length).writeBytes(text);
        }
    }
}

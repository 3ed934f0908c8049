package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/**
 * Text as TDS carries it: UTF-16 code units, little-endian, paired or not. (A charset decoder would replace a lone
 * surrogate, which SQL Server stores and returns as it came.)
 */
public final class Ucs2 {
    private Ucs2() {}

    /** Reads so many code units, each of two bytes. */
    public static String read(ByteBuf in, int units) {
        int bytes = units << 1;
        if (units < 0 || bytes < 0 || bytes > in.readableBytes()) {
            throw new ProtocolException("text of %d characters is longer than what holds it".formatted(units));
        }
        char[] chars = new char[units];
        int at = in.readerIndex();
        for (int i = 0; i < units; i++, at += 2) {
            chars[i] = (char) in.getShortLE(at);
        }
        in.readerIndex(at);
        return new String(chars);
    }

    /** B_VARCHAR: the length in one byte. */
    public static String readByteLength(ByteBuf in) {
        return read(in, in.readUnsignedByte());
    }

    /** US_VARCHAR: the length in two bytes. */
    public static String readShortLength(ByteBuf in) {
        return read(in, in.readUnsignedShortLE());
    }

    public static void write(ByteBuf out, CharSequence text) {
        out.ensureWritable(text.length() << 1);
        for (int i = 0; i < text.length(); i++) {
            out.writeShortLE(text.charAt(i));
        }
    }

    /** B_VARCHAR. */
    public static void writeByteLength(ByteBuf out, CharSequence text) {
        if (text.length() > 0xFF) {
            throw new IllegalArgumentException("text of %d characters where 255 fit".formatted(text.length()));
        }
        out.writeByte(text.length());
        write(out, text);
    }

    /** US_VARCHAR. */
    public static void writeShortLength(ByteBuf out, CharSequence text) {
        if (text.length() > 0xFFFF) {
            throw new IllegalArgumentException("text of %d characters where 65535 fit".formatted(text.length()));
        }
        out.writeShortLE(text.length());
        write(out, text);
    }
}

package dev.comporta.tds;

import io.netty.buffer.ByteBuf;

/**
 * Text as TDS encodes it: 16-bit units, little-endian. Converted unit by unit and not by a charset: names may contain
 * malformed UTF-16 (single surrogates), which a charset decoder would replace.
 */
public final class Ucs2 {
    private Ucs2() {}

    /** Borrows {@code buffer}, which must hold the text from {@code index} on, and does not change its indexes. */
    public static String get(ByteBuf buffer, int index, int chars) {
        if (chars == 0) {
            return "";
        }
        char[] text = new char[chars];
        for (int i = 0; i < chars; i++) {
            text[i] = (char) buffer.getShortLE(index + 2 * i);
        }
        return new String(text);
    }

    /** Reads {@code chars} characters. Checks that the buffer holds all of them before memory is allocated. */
    public static String read(ByteBuf in, int chars) {
        if (chars > in.readableBytes() / 2) {
            throw new ProtocolException("text of %d characters is longer than its message or token".formatted(chars));
        }
        String text = get(in, in.readerIndex(), chars);
        in.skipBytes(2 * chars);
        return text;
    }

    /** Reads B_VARCHAR: the length in characters as one byte, then the text. */
    public static String readByteLength(ByteBuf in) {
        return read(in, in.readUnsignedByte());
    }

    /** Reads US_VARCHAR: the length in characters as two bytes, then the text. */
    public static String readShortLength(ByteBuf in) {
        return read(in, in.readUnsignedShortLE());
    }

    public static void write(ByteBuf out, CharSequence text) {
        out.ensureWritable(2 * text.length());
        for (int i = 0; i < text.length(); i++) {
            out.writeShortLE(text.charAt(i));
        }
    }

    /** Writes B_VARCHAR. */
    public static void writeByteLength(ByteBuf out, CharSequence text) {
        if (text.length() > 0xFF) {
            throw new IllegalArgumentException("text of %d characters; 255 fit".formatted(text.length()));
        }
        out.writeByte(text.length());
        write(out, text);
    }

    /** Writes US_VARCHAR. */
    public static void writeShortLength(ByteBuf out, CharSequence text) {
        if (text.length() > 0xFFFF) {
            throw new IllegalArgumentException("text of %d characters; 65535 fit".formatted(text.length()));
        }
        out.writeShortLE(text.length());
        write(out, text);
    }
}

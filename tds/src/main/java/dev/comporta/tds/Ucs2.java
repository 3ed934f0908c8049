package dev.comporta.tds;

import io.netty.buffer.ByteBuf;

/**
 * Text as TDS writes it: 16-bit units, little-endian. Unit by unit rather than by a charset, because names may hold what is
 * not well-formed UTF-16, and a decoder would replace it with something else.
 */
public final class Ucs2 {
    private Ucs2() {}

    /** Borrows {@code buffer}, which must hold the text from {@code index} on, and leaves its indexes alone. */
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

    public static void write(ByteBuf out, CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            out.writeShortLE(text.charAt(i));
        }
    }
}

package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/** A name that may arrive in pieces, kept in the same bytes for every name. */
final class NameBuffer implements CharSequence {
    /** Four parts of 128 characters each, in brackets with every character doubled, and the dots. */
    private static final int MAX_CHARS = 4 * 258 + 3;

    private final byte[] bytes = new byte[2 * MAX_CHARS];
    private int filled;

    /** Begins a name of this length. */
    void begin(long chars) {
        if (chars > MAX_CHARS) {
            throw new ProtocolException("name of %d characters; the longest have %d".formatted(chars, MAX_CHARS));
        }
        filled = 0;
    }

    void append(ByteBuf packet, int index, int length) {
        packet.getBytes(index, bytes, filled, length);
        filled += length;
    }

    @Override
    public int length() {
        return filled / 2;
    }

    @Override
    public char charAt(int index) {
        return (char) ((bytes[2 * index] & 0xFF) | (bytes[2 * index + 1] << 8));
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return toString().substring(start, end);
    }

    @Override
    public String toString() {
        return new StringBuilder(length()).append(this, 0, length()).toString();
    }
}

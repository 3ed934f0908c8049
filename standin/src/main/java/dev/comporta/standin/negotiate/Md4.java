package dev.comporta.standin.negotiate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The hash of RFC 1320, which NTLM uses for passwords. Broken long ago, and so not in the JDK. */
final class Md4 {
    private static final int BLOCK = 64;
    private static final int[] SHIFTS_1 = {3, 7, 11, 19};
    private static final int[] SHIFTS_2 = {3, 5, 9, 13};
    private static final int[] SHIFTS_3 = {3, 9, 11, 15};
    private static final int[] ORDER_3 = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

    private Md4() {}

    static byte[] hash(byte[] message) {
        int[] state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
        ByteBuffer padded = padded(message);
        int[] words = new int[BLOCK / Integer.BYTES];
        while (padded.hasRemaining()) {
            for (int i = 0; i < words.length; i++) {
                words[i] = padded.getInt();
            }
            mix(state, words);
        }
        byte[] digest = new byte[state.length * Integer.BYTES];
        ByteBuffer out = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);
        for (int word : state) {
            out.putInt(word);
        }
        return digest;
    }

    /** Pads with a one bit, zeros, and the length in bits. */
    private static ByteBuffer padded(byte[] message) {
        int length = (message.length + 1 + Long.BYTES + BLOCK - 1) / BLOCK * BLOCK;
        ByteBuffer padded = ByteBuffer.wrap(Arrays.copyOf(message, length)).order(ByteOrder.LITTLE_ENDIAN);
        padded.put(message.length, (byte) 0x80);
        padded.putLong(length - Long.BYTES, 8L * message.length);
        return padded;
    }

    private static void mix(int[] state, int[] words) {
        int[] s = state.clone();
        for (int i = 0; i < 16; i++) {
            int f = (s[1] & s[2]) | (~s[1] & s[3]);
            turn(s, f + words[i], SHIFTS_1[i % 4]);
        }
        for (int i = 0; i < 16; i++) {
            int g = (s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3]);
            turn(s, g + words[i % 4 * 4 + i / 4] + 0x5a827999, SHIFTS_2[i % 4]);
        }
        for (int i = 0; i < 16; i++) {
            int h = s[1] ^ s[2] ^ s[3];
            turn(s, h + words[ORDER_3[i]] + 0x6ed9eba1, SHIFTS_3[i % 4]);
        }
        for (int i = 0; i < state.length; i++) {
            state[i] += s[i];
        }
    }

    /** a becomes (a + added) <<< shift, and the four words rotate by one. */
    private static void turn(int[] s, int added, int shift) {
        int turned = Integer.rotateLeft(s[0] + added, shift);
        s[0] = s[3];
        s[3] = s[2];
        s[2] = s[1];
        s[1] = turned;
    }
}

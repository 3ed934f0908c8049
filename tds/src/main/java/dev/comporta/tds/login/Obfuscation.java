package dev.comporta.tds.login;

/** How LOGIN7 obscures a password: the halves of each byte are swapped, then it is XORed with 0xA5. */
final class Obfuscation {
    private static final int MASK = 0xA5;

    private Obfuscation() {}

    static void apply(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (swapHalves(bytes[i]) ^ MASK);
        }
    }

    static void undo(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) swapHalves(bytes[i] ^ MASK);
        }
    }

    private static int swapHalves(int value) {
        return (value << 4 & 0xF0) | (value >>> 4 & 0x0F);
    }
}

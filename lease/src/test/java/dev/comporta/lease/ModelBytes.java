package dev.comporta.lease;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A packed state: small numbers, one to a byte, and a fingerprint of 128 bits. */
final class ModelBytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SLACK = 8;

    byte[] bytes = new byte[512];
    int length;
    private int at;

    /** That two states out of billions share both is not to be expected in a lifetime. */
    long high;

    long low;

    void clear() {
        length = 0;
        at = 0;
    }

    void put(long value) {
        if (value < Byte.MIN_VALUE || value > Byte.MAX_VALUE) {
            throw new IllegalStateException("Not a small number: " + value);
        }
        if (length + SLACK >= bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        bytes[length++] = (byte) value;
    }

    void put(byte[] from, int start, int end) {
        int grown = length + end - start;
        if (grown + SLACK >= bytes.length) {
            bytes = Arrays.copyOf(bytes, grown * 2 + SLACK);
        }
        System.arraycopy(from, start, bytes, length, end - start);
        length = grown;
    }

    void set(byte[] from, int start, int count) {
        clear();
        put(from, start, start + count);
    }

    int take() {
        return bytes[at++];
    }

    void rewind() {
        at = 0;
    }

    void fingerprint() {
        Arrays.fill(bytes, length, length + SLACK, (byte) 0);
        long h = 0x9E3779B97F4A7C15L + length;
        long l = 0xC2B2AE3D27D4EB4FL - length;
        for (int i = 0; i < length; i += SLACK) {
            long v = (long) LONGS.get(bytes, i);
            h = (h ^ v) * 0xFF51AFD7ED558CCDL;
            h ^= h >>> 32;
            l = (l + v) * 0xC4CEB9FE1A85EC53L;
            l ^= l >>> 29;
        }
        high = mixed(h);
        low = mixed(l);
    }

    private static long mixed(long v) {
        long x = (v ^ (v >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}

package dev.comporta.proxy.prepared;

import dev.comporta.tds.ProtocolException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A client's handles of one kind, in the order of their numbers, which is the order in which they were given. */
final class HandleTable {
    private static final int[] NO_NUMBERS = new int[0];
    private static final @Nullable PreparedText[] NO_TEXTS = new PreparedText[0];

    /** How many numbers there are before the next kind's begin. */
    private static final int MOST_NUMBERS = 0x1FFF_FFFF;

    private final int base;
    private int given;
    private int[] numbers = NO_NUMBERS;
    private @Nullable PreparedText[] texts = NO_TEXTS;
    private int size;

    /** @param base less than the first number that is given */
    HandleTable(int base) {
        this.base = base;
    }

    static boolean isIn(int base, long number) {
        return number > base && number <= base + MOST_NUMBERS;
    }

    /** @return a number that was never given before */
    int add(PreparedText text) {
        if (given == MOST_NUMBERS) {
            throw new ProtocolException(
                    "the client has prepared more statements than there are handles: connect again");
        }
        if (size == numbers.length) {
            int capacity = Math.max(4, 2 * size);
            numbers = Arrays.copyOf(numbers, capacity);
            texts = Arrays.copyOf(texts, capacity);
        }
        numbers[size] = base + ++given;
        texts[size] = text;
        return numbers[size++];
    }

    @Nullable
    PreparedText find(long number) {
        int at = indexOf(number);
        return at < 0 ? null : texts[at];
    }

    /** @return what it stood for; null if it was not there */
    @Nullable
    PreparedText remove(long number) {
        int at = indexOf(number);
        if (at < 0) {
            return null;
        }
        PreparedText text = texts[at];
        size--;
        System.arraycopy(numbers, at + 1, numbers, at, size - at);
        System.arraycopy(texts, at + 1, texts, at, size - at);
        texts[size] = null;
        return text;
    }

    private int indexOf(long number) {
        return number == (int) number ? Arrays.binarySearch(numbers, 0, size, (int) number) : -1;
    }

    /** @return one of them, taken out; null when there are none */
    @Nullable
    PreparedText removeLast() {
        return size == 0 ? null : remove(numbers[size - 1]);
    }

    void forgetArrays() {
        numbers = NO_NUMBERS;
        texts = NO_TEXTS;
        size = 0;
    }
}

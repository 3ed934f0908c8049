package dev.comporta.proxy.prepared;

import dev.comporta.tds.ProtocolException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's handles of one kind, in the order in which they were given, which is also that of their numbers. */
final class HandleTable {
    private static final int[] NO_NUMBERS = new int[0];
    private static final @Nullable PreparedText[] NO_TEXTS = new PreparedText[0];

    /** How many numbers there are below the next kind's range. */
    private static final int MOST_NUMBERS = 0x1FFF_FFFF;

    /** Handles that a client may have at the same time: more than any needs, and few enough for the memory of a loop. */
    static final int MOST_AT_ONCE = 1 << 16;

    private final int base;
    private int given;
    private int[] numbers = NO_NUMBERS;
    private @Nullable PreparedText[] texts = NO_TEXTS;
    /** Used places of the arrays, including gaps of removed handles. */
    private int size;

    private int gaps;

    /** @param base the number before the first that is given */
    HandleTable(int base) {
        this.base = base;
    }

    static boolean isIn(int base, long number) {
        return number > base && number <= base + MOST_NUMBERS;
    }

    /** Throws if no further handle can be given. Called before anything is counted for it. */
    void requireRoom() {
        if (given == MOST_NUMBERS) {
            throw new ProtocolException(
                    "the client has used up all handle numbers for prepared statements: connect again");
        }
        if (size - gaps == MOST_AT_ONCE) {
            throw new ProtocolException("the client has " + MOST_AT_ONCE
                    + " prepared statements: unprepare some (sp_unprepare), or connect again");
        }
    }

    /** @return a number that was never given before */
    int add(PreparedText text) {
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

    /** @return the text it stood for; null if there was no such handle */
    @Nullable
    PreparedText remove(long number) {
        int at = indexOf(number);
        if (at < 0) {
            return null;
        }
        PreparedText text = texts[at];
        if (text == null) {
            return null;
        }
        texts[at] = null;
        gaps++;
        if (2 * gaps > size) {
            closeGaps();
        }
        return text;
    }

    /** Costs one pass per as many removals: thousands of them in one message must not take seconds. */
    private void closeGaps() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            PreparedText text = texts[i];
            if (text != null) {
                texts[i] = null;
                numbers[kept] = numbers[i];
                texts[kept] = text;
                kept++;
            }
        }
        size = kept;
        gaps = 0;
    }

    private int indexOf(long number) {
        return number == (int) number ? Arrays.binarySearch(numbers, 0, size, (int) number) : -1;
    }

    /** Removes all handles. */
    void clear(Consumer<PreparedText> each) {
        for (int i = 0; i < size; i++) {
            PreparedText text = texts[i];
            if (text != null) {
                each.accept(text);
            }
        }
        numbers = NO_NUMBERS;
        texts = NO_TEXTS;
        size = 0;
        gaps = 0;
    }
}

package dev.comporta.app.top;

import java.io.IOException;

/** Decodes keys from the characters that a terminal sends. Confined to one thread. */
final class KeyReader {
    /** The source of the characters. */
    interface Source {
        int END = -1;
        int EXPIRED = -2;

        /** @param millis the timeout; 0 means none */
        int read(long millis) throws IOException;
    }

    /** A terminal sends an escape sequence at once; after the key Esc nothing follows. */
    private static final long SEQUENCE_MILLIS = 100;

    private static final int NOTHING = -3;
    private static final int CTRL_C = 3;
    private static final int CTRL_H = 8;
    private static final int ESC = 27;
    private static final int DEL = 127;

    private final Source source;
    private int unread = NOTHING;

    KeyReader(Source source) {
        this.source = source;
    }

    /** Waits for the next key. */
    Key next() throws IOException {
        int c = unread == NOTHING ? source.read(0) : unread;
        unread = NOTHING;
        return switch (c) {
            case Source.END, CTRL_C -> Key.Named.INTERRUPT;
            case Source.EXPIRED -> Key.Named.OTHER;
            case ESC -> behindEscape();
            case '\r', '\n' -> Key.Named.ENTER;
            case CTRL_H, DEL -> Key.Named.BACKSPACE;
            default -> typed(c);
        };
    }

    private Key typed(int c) throws IOException {
        if (Character.isHighSurrogate((char) c)) {
            int low = source.read(SEQUENCE_MILLIS);
            return low >= 0 && Character.isLowSurrogate((char) low)
                    ? new Key.Typed(Character.toCodePoint((char) c, (char) low))
                    : Key.Named.OTHER;
        }
        return Character.isISOControl(c) ? Key.Named.OTHER : new Key.Typed(c);
    }

    private Key behindEscape() throws IOException {
        int c = source.read(SEQUENCE_MILLIS);
        return switch (c) {
            case '[', 'O' -> sequence();
            case Source.EXPIRED -> Key.Named.ESCAPE;
            default -> {
                unread = c; // Alt with a key; since no such key is used, it is read as Esc and the key
                yield Key.Named.ESCAPE;
            }
        };
    }

    /** Reads a sequence to its end, so that no part of it is read as a key. */
    private Key sequence() throws IOException {
        StringBuilder parameters = new StringBuilder();
        int c = source.read(SEQUENCE_MILLIS);
        while (c >= ' ' && c < '@') {
            parameters.append((char) c);
            c = source.read(SEQUENCE_MILLIS);
        }
        return switch (c) {
            case 'A' -> Key.Named.UP;
            case 'B' -> Key.Named.DOWN;
            case 'H' -> Key.Named.HOME;
            case 'F' -> Key.Named.END;
            case '~' ->
                switch (parameters.toString()) {
                    case "1", "7" -> Key.Named.HOME;
                    case "4", "8" -> Key.Named.END;
                    case "5" -> Key.Named.PAGE_UP;
                    case "6" -> Key.Named.PAGE_DOWN;
                    default -> Key.Named.OTHER;
                };
            default -> Key.Named.OTHER;
        };
    }
}

package dev.comporta.app.top;

/** A key that was pressed. */
sealed interface Key {
    /** A character. */
    record Typed(int codePoint) implements Key {}

    /** A key without a character. */
    enum Named implements Key {
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        ESCAPE,
        BACKSPACE,
        /** Ctrl-C, or the end of the input. */
        INTERRUPT,
        /** Any other key: it has no effect. */
        OTHER
    }
}

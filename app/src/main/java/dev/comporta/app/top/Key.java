package dev.comporta.app.top;

/** What somebody pressed. */
sealed interface Key {
    /** A character. */
    record Typed(int codePoint) implements Key {}

    /** A key without one. */
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
        /** Ctrl-C, or nobody is at the terminal any more. */
        INTERRUPT,
        /** One that means nothing here. */
        OTHER
    }
}

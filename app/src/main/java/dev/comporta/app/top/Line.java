package dev.comporta.app.top;

/** One line of a frame. It has no control characters. */
record Line(Look look, String text) {
    /** How a line is set off from others. */
    enum Look {
        PLAIN,
        /** Titles. */
        BOLD,
        /** Less important than the rest. */
        DIM,
        /** Below the bar. */
        SELECTED,
        /** Something waits, is paused or is kept. */
        WARNING,
        /** Something is down. */
        ALARM
    }

    static Line plain(String text) {
        return new Line(Look.PLAIN, text);
    }

    static Line bold(String text) {
        return new Line(Look.BOLD, text);
    }

    static Line dim(String text) {
        return new Line(Look.DIM, text);
    }
}

package dev.comporta.app.top;

/** One line of a frame. It has no control characters. */
record Line(Look look, String text) {
    /** How a line is highlighted. */
    enum Look {
        PLAIN,
        /** Titles. */
        BOLD,
        /** Less important than the rest. */
        DIM,
        /** The selected bucket. */
        SELECTED,
        /** Requests wait, or a bucket is paused or has pins. */
        WARNING,
        /** A bucket is down, or an instance is not reachable. */
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

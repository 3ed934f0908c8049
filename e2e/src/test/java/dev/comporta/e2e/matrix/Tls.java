package dev.comporta.e2e.matrix;

/** How much of its connection a driver asks to have encrypted. */
enum Tls {
    /** Nothing, or the login alone: what a driver does when nobody tells it to encrypt. */
    OFF("false"),
    /** Everything after PRELOGIN. */
    ON("true"),
    /** Everything from the first byte: TDS 8.0. */
    STRICT("strict");

    private final String word;

    Tls(String word) {
        this.word = word;
    }

    /** What Microsoft's drivers call it, and those that follow them. */
    String word() {
        return word;
    }

    /** For the names of drivers that say so only when it is not their usual way. */
    String suffix() {
        return this == OFF ? "" : " encrypt=" + word;
    }
}

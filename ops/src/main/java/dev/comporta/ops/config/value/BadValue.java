package dev.comporta.ops.config.value;

/** A text that is not a value of the expected type. */
public final class BadValue extends Exception {
    private final String what;
    private final String advice;

    /**
     * @param what the rest of a sentence that begins with the text; must not repeat the text, which may be a secret
     * @param advice a sentence
     */
    public BadValue(String what, String advice) {
        super(what + ". " + advice);
        this.what = what;
        this.advice = advice;
    }

    public String what() {
        return what;
    }

    public String advice() {
        return advice;
    }
}

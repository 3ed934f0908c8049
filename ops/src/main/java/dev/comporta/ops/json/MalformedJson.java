package dev.comporta.ops.json;

/** A text that is not the expected JSON. The message says what is wrong, and where. */
public final class MalformedJson extends Exception {
    private static final long serialVersionUID = 1;

    MalformedJson(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

package dev.comporta.testkit.crosstalk;

/** An error that the server, or the proxy in its place, sent as an answer. */
public final class ServerError extends Exception {
    private static final long serialVersionUID = 1;

    private final int number;

    public ServerError(int number, String text) {
        super(number + " " + text);
        this.number = number;
    }

    public int number() {
        return number;
    }
}

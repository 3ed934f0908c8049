package dev.comporta.e2e.crosstalk;

/** An error that the server, or the proxy in its name, has answered with. */
final class ServerError extends Exception {
    private static final long serialVersionUID = 1;

    private final int number;

    ServerError(int number, String text) {
        super(number + " " + text);
        this.number = number;
    }

    int number() {
        return number;
    }
}

package dev.comporta.ops.http;

/** A request that a handler can't serve. The message tells the sender what is wrong and what to do. */
public final class HttpRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    public HttpRefusal(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

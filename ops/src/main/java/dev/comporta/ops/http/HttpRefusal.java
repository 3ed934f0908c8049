package dev.comporta.ops.http;

/** A request that can't be served, with what its sender is to be told. The connection ends with it. */
final class HttpRefusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    HttpRefusal(int status, String why) {
        super(why);
        this.status = status;
    }

    HttpResponse response() {
        return HttpResponse.refusal(status, String.valueOf(getMessage()));
    }
}

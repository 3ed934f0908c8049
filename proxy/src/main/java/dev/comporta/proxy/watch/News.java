package dev.comporta.proxy.watch;

/** Receives events of the data plane that need an operator's attention. Called on event loops: must not block. */
public interface News {
    /** Ignores everything. */
    News NONE = new News() {};

    /** The server of the bucket does not answer: requests that no open connection can serve wait, or are refused. */
    default void bucketDown(String bucket, String reason) {}

    default void bucketUp(String bucket) {}

    /** The server of the bucket takes no more connections: requests wait, and openings slow down. It is up. */
    default void bucketFull(String bucket, String reason) {}

    /** The server has accepted another connection; or it is down, so that whether it is full is unknown. */
    default void bucketHasRoom(String bucket) {}

    /**
     * @param bucket empty when the client was refused before its bucket was known
     * @param address without the port
     * @param message the error that the client got, beginning with its number
     */
    default void loginRefused(String bucket, String login, String address, String message) {}

    /**
     * A client has kept a server connection beyond {@code max_pin_time}. Reported once, until it has released the connection.
     *
     * @param address with the port, as in {@link #pinEnded}
     */
    default void pinOverdue(String bucket, String login, String address, String message) {}

    /** A client was closed because it kept a server connection, or a transaction, open for too long. */
    default void pinEnded(String bucket, String login, String address, String message) {}

    /** The duration from which a request is slow and {@link #slowRequest} is called; {@link Long#MAX_VALUE} for never. */
    default long slowRequestNanos() {
        return Long.MAX_VALUE;
    }

    /** A request was slow. Of many at the same time, only some are reported. */
    default void slowRequest(SlowRequest request) {}
}

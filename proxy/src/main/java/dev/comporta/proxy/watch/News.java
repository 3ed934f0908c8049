package dev.comporta.proxy.watch;

/** Told what happens in the data plane that is worth an operator's attention. Called on event loops: it must not block. */
public interface News {
    /** Ignores everything. */
    News NONE = new News() {};

    /** The server of the bucket does not answer: requests that no open connection can serve wait, or are refused. */
    default void bucketDown(String bucket, String reason) {}

    default void bucketUp(String bucket) {}

    /** The server of the bucket takes no more connections: requests wait, and openings slow down. It is up. */
    default void bucketFull(String bucket, String reason) {}

    /** The server has taken another connection, or is down, so that it can't be told any more. */
    default void bucketHasRoom(String bucket) {}

    /**
     * @param bucket empty when the client was refused before it was known where it belongs
     * @param address without the port
     * @param message as the client was told, the number of the error first
     */
    default void loginRefused(String bucket, String login, String address, String message) {}

    /**
     * A client has kept a server connection for longer than it should. Told once, until it has given the connection back.
     *
     * @param address with the port, as in {@link #pinEnded}
     */
    default void pinOverdue(String bucket, String login, String address, String message) {}

    /** A client was closed because it has kept a server connection for too long, or a transaction open. */
    default void pinEnded(String bucket, String login, String address, String message) {}

    /** From what time on a request is slow, so that {@link #slowRequest} is told; {@link Long#MAX_VALUE} for never. */
    default long slowRequestNanos() {
        return Long.MAX_VALUE;
    }

    /** A request took so long. Of many at the same time, only some are told. */
    default void slowRequest(SlowRequest request) {}
}

package dev.comporta.proxy.watch;

/** Told what happens in the data plane that is worth an operator's attention. Called on event loops: it must not block. */
public interface News {
    /** For whoever does not listen. */
    News NONE = new News() {
        @Override
        public void bucketDown(String bucket, String reason) {}

        @Override
        public void bucketUp(String bucket) {}

        @Override
        public void loginRefused(String bucket, String login, String address, String message) {}
    };

    /** The server of the bucket does not answer: requests that no open connection can serve are refused. */
    void bucketDown(String bucket, String reason);

    void bucketUp(String bucket);

    /**
     * @param bucket empty when the client was refused before it was known where it belongs
     * @param address without the port
     * @param message as the client was told, the number of the error first
     */
    void loginRefused(String bucket, String login, String address, String message);
}

package dev.comporta.ops.http;

/** The body of a response that goes on until one side ends it. */
@FunctionalInterface
public interface HttpStream {
    /**
     * Called when the response has begun, on the server's event loop: it must not block.
     *
     * @return runs once when the reader is gone, on the event loop too
     */
    Runnable open(Reader reader);

    /** The reader of a stream. For any thread; nothing here waits. */
    interface Reader {
        /**
         * Sends the next piece, which must not change any more: several readers may get the same. A reader that has not read
         * the earlier pieces is disconnected instead. Does nothing after the end.
         */
        void send(byte[] piece);

        /** Ends the stream: nothing more will be sent. */
        void end();
    }
}

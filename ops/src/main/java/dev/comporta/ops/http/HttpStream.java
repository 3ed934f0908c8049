package dev.comporta.ops.http;

/** The body of a response that goes on until one side ends it. */
@FunctionalInterface
public interface HttpStream {
    /**
     * Called when the response has begun, on the server's event loop: it must not block.
     *
     * @return is run once when the reader is gone, on the event loop too
     */
    Runnable open(Reader reader);

    /** The reader of a stream. Any thread; nothing here waits. */
    interface Reader {
        /**
         * Sends the next piece, which nobody changes any more: several readers may be given the same. A reader that has not
         * taken what was sent before is disconnected instead. After the end it does nothing.
         */
        void send(byte[] piece);

        /** Nothing more will be sent. */
        void end();
    }
}

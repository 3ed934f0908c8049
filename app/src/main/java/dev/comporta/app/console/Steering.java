package dev.comporta.app.console;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What an operator does with buckets and clients by hand. Any thread; nothing here waits. */
public interface Steering {
    /** Done when no work of the bucket runs any more; new requests wait from now on. */
    CompletionStage<?> pause(String bucket);

    CompletionStage<?> resume(String bucket);

    /** Done when the bucket was told: its server connections are replaced as they come free. */
    CompletionStage<?> reconnect(String bucket);

    /** Tells whether there was such a client. */
    CompletionStage<Boolean> kill(long client);

    boolean isPaused(String bucket);

    /** Where nothing can be steered. */
    Steering NONE = new Steering() {
        @Override
        public CompletionStage<?> pause(String bucket) {
            return refused();
        }

        @Override
        public CompletionStage<?> resume(String bucket) {
            return refused();
        }

        @Override
        public CompletionStage<?> reconnect(String bucket) {
            return refused();
        }

        @Override
        public CompletionStage<Boolean> kill(long client) {
            return refused();
        }

        @Override
        public boolean isPaused(String bucket) {
            return false;
        }

        private <T> CompletionStage<T> refused() {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("This instance can't do that."));
        }
    };
}

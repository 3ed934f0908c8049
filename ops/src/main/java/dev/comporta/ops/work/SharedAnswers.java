package dev.comporta.ops.work;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Computes one answer for all callers that ask the same before the computation begins. A later caller gets another one, so no
 * answer is older than its question. Any number of callers at the same time cost one computation, or two. For any thread but
 * an event loop.
 *
 * @param <K> the question; equal for questions that have the same answer
 */
public final class SharedAnswers<K, T> {
    private final BackgroundWork work;
    /** The answers whose computation has not begun. */
    private final ConcurrentMap<K, CompletableFuture<T>> awaited = new ConcurrentHashMap<>();

    public SharedAnswers(BackgroundWork work) {
        this.work = work;
    }

    /** @param make called in the background for the first caller */
    public T get(K question, Supplier<T> make) {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> before = awaited.putIfAbsent(question, mine);
        if (before != null) {
            return result(before);
        }
        try {
            mine.complete(work.call(() -> {
                awaited.remove(question, mine);
                return make.get();
            }));
        } catch (Throwable e) { // an Error too: the other callers would wait for ever
            awaited.remove(question, mine);
            mine.completeExceptionally(e);
        }
        return result(mine);
    }

    private static <T> T result(CompletableFuture<T> answer) {
        try {
            return BackgroundWork.awaiting(answer::join);
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failed -> throw failed;
                case Error failed -> throw failed;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }
}

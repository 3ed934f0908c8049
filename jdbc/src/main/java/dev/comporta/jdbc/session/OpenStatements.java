package dev.comporta.jdbc.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a client has made on its connection and not closed yet: the driver's statements, and result sets without
 * one. Any thread: threads of one client may share its connection, and one may end the loan while another makes a
 * statement. The thread that takes an object out closes it, so that it is closed once: a driver that caches statements
 * gives a closed one to the next client.
 *
 * <p>There are places for the few that most clients have at a time, taken without a lock.
 */
final class OpenStatements {
    private static final int FEW = 8;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(AutoCloseable[].class);

    private final @Nullable AutoCloseable[] few = new @Nullable AutoCloseable[FEW];

    /** The objects beyond these places; guarded by itself. */
    private final Set<AutoCloseable> more = Collections.newSetFromMap(new IdentityHashMap<>(0));

    private volatile boolean hasMore;

    void add(AutoCloseable opened) {
        for (int i = 0; i < FEW; i++) {
            if (few[i] == null && PLACE.compareAndSet(few, i, null, opened)) {
                return;
            }
        }
        synchronized (more) {
            more.add(opened);
            hasMore = true;
        }
    }

    /** @return false if it is not here: another thread closes it, or has closed it */
    @SuppressWarnings("ReferenceEquality") // the very object
    boolean remove(AutoCloseable opened) {
        for (int i = 0; i < FEW; i++) {
            if (few[i] == opened && PLACE.compareAndSet(few, i, opened, null)) {
                return true;
            }
        }
        synchronized (more) {
            return more.remove(opened);
        }
    }

    /**
     * Takes out all objects and closes them.
     *
     * @param close called with {@code by}, so that no lambda need be made for each loan
     */
    <T> void removeAll(T by, BiConsumer<T, AutoCloseable> close) {
        for (int i = 0; i < FEW; i++) {
            if (PLACE.getVolatile(few, i) != null && PLACE.getAndSet(few, i, null) instanceof AutoCloseable opened) {
                close.accept(by, opened);
            }
        }
        if (hasMore) {
            removeMore(by, close);
        }
    }

    private <T> void removeMore(T by, BiConsumer<T, AutoCloseable> close) {
        AutoCloseable[] rest;
        synchronized (more) {
            rest = more.toArray(AutoCloseable[]::new);
            more.clear();
            hasMore = false;
        }
        for (AutoCloseable opened : rest) {
            close.accept(by, opened);
        }
    }
}

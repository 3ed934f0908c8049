package dev.comporta.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Visits every state that can be reached, the nearest first, so that the way to a fault is the shortest there is. States wait
 * to be visited as packed bytes, in pages; what is known of those that were seen is a fingerprint each.
 */
final class ModelExplorer {
    /** Holds in every state. */
    interface Promise {
        void check(ModelWorld world);
    }

    /** How many states there are, how many steps between them, and how far the farthest is from the start. */
    record Extent(long states, long steps, int depth) {}

    final ModelSetting setting;
    final Promise always;
    final List<ModelFuture> eventually;
    final ModelStates seen = new ModelStates();
    final AtomicLong steps = new AtomicLong();
    private List<byte[]> level = new ArrayList<>();
    private List<byte[]> following = new ArrayList<>();

    ModelExplorer(ModelSetting setting, Promise always, List<ModelFuture> eventually) {
        this.setting = setting;
        this.always = always;
        this.eventually = eventually;
    }

    Extent explore(int threads) {
        List<ModelVisitor> visitors = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            visitors.add(new ModelVisitor(this));
        }
        int depth = 0;
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            visitors.getFirst().begin();
            while (!following.isEmpty()) {
                level = following;
                following = new ArrayList<>();
                visitLevel(executor, visitors);
                depth++;
            }
        }
        return new Extent(seen.size(), steps.get(), depth);
    }

    private void visitLevel(ExecutorService executor, List<ModelVisitor> visitors) {
        AtomicInteger next = new AtomicInteger();
        List<Callable<Void>> tasks = new ArrayList<>();
        for (ModelVisitor visitor : visitors) {
            tasks.add(() -> {
                int page = next.getAndIncrement();
                while (page < level.size()) {
                    visitor.visit(level.get(page));
                    level.set(page, new byte[0]); // a level can be gigabytes
                    page = next.getAndIncrement();
                }
                visitor.turnOver();
                return null;
            });
        }
        try {
            for (Future<Void> done : executor.invokeAll(tasks)) {
                done.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof AssertionError broken ? broken : new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    synchronized void toVisit(byte[] page) {
        following.add(page);
    }
}

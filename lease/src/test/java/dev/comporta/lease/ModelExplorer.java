package dev.comporta.lease;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Visits every state that can be reached, the nearest first, so that the way to a fault is the shortest there is. */
final class ModelExplorer {
    private record Seen(long a, long b) {}

    private record Path(@Nullable Path before, String what) {
        String told() {
            StringBuilder text = new StringBuilder();
            for (Path p = this; p != null; p = p.before) {
                text.insert(0, "\n  " + p.what);
            }
            return text.toString();
        }
    }

    private record Visit(ModelWorld world, Path path) {}

    interface Property {
        void check(ModelWorld world);
    }

    private final Set<Seen> seen = new HashSet<>();
    private final ArrayDeque<Visit> frontier = new ArrayDeque<>();
    private final Property always;
    private final Property eventually;
    private final int sampled;

    /**
     * @param always holds in every state
     * @param eventually is tried from every state, or from one of so many: it costs as much as a hundred steps
     */
    ModelExplorer(Property always, Property eventually, int sampled) {
        this.always = always;
        this.eventually = eventually;
        this.sampled = sampled;
    }

    int explore(ModelWorld from, int mostStates) {
        visit(from, new Path(null, "start"));
        Visit next = frontier.poll();
        while (next != null) {
            for (ModelWorld.Step step : stepsOf(next)) {
                visit(step.world(), new Path(next.path(), step.what()));
            }
            if (seen.size() > mostStates) {
                throw new AssertionError("More than " + mostStates + " states, " + frontier.size() + " to visit");
            }
            next = frontier.poll();
        }
        return seen.size();
    }

    private static Iterable<ModelWorld.Step> stepsOf(Visit visit) {
        try {
            return visit.world().next();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("a step after:" + visit.path().told(), e);
        }
    }

    private void visit(ModelWorld world, Path path) {
        int[] key = ModelKey.of(world);
        Seen id = new Seen(mix(key, 0x9E3779B97F4A7C15L), mix(key, 0xC2B2AE3D27D4EB4FL));
        if (!seen.add(id)) {
            return;
        }
        try {
            always.check(world);
            if (Long.remainderUnsigned(id.a(), sampled) == 0) {
                eventually.check(world.copy());
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e.getMessage() + " after:" + path.told() + "\n" + Arrays.toString(key), e);
        }
        frontier.add(new Visit(world, path));
    }

    /** Two of these, 128 bits: that two states out of millions share them is not to be expected in a lifetime. */
    private static long mix(int[] key, long seed) {
        long h = seed;
        for (int value : key) {
            h ^= value * 0xFF51AFD7ED558CCDL;
            h = Long.rotateLeft(h, 27) * 0x9E3779B97F4A7C15L + seed;
            h ^= h >>> 31;
        }
        return h;
    }
}

package dev.comporta.app.console;

import dev.comporta.console.OperatorException;
import dev.comporta.console.names.NearestName;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Finds the bucket that a command names. */
record BucketNames(Supplier<Set<String>> buckets) {
    Collection<String> all() {
        return new TreeSet<>(buckets.get());
    }

    /** Compares names case-sensitively first, because two buckets may differ in case only. */
    String find(String name) throws OperatorException {
        Collection<String> all = all();
        if (all.contains(name)) {
            return name;
        }
        for (String bucket : all) {
            if (bucket.equalsIgnoreCase(name)) {
                return bucket;
            }
        }
        throw new OperatorException("There is no bucket '" + name + "'."
                + NearestName.among(all, name)
                        .map(nearest -> " Did you mean '" + nearest + "'?")
                        .orElse(" SHOW BUCKETS lists them."));
    }
}

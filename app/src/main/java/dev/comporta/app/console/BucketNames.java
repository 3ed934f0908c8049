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

    /** Names are compared with regard to case first, as two buckets may differ in nothing else. */
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

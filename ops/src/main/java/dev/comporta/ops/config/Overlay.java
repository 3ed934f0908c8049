package dev.comporta.ops.config;

import dev.comporta.ops.config.yaml.Edit;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings changed by commands since the files were read: kept in memory, and lost when the files are read again.
 * Immutable.
 */
public record Overlay(List<Edit> proxy, List<Edit> buckets) {
    public static final Overlay NONE = new Overlay(List.of(), List.of());

    public Overlay {
        proxy = List.copyOf(proxy);
        buckets = List.copyOf(buckets);
    }

    public Overlay plus(List<Edit> more) {
        List<Edit> ofProxy = new ArrayList<>(proxy);
        List<Edit> ofBuckets = new ArrayList<>(buckets);
        for (Edit edit : more) {
            String path = switch (edit) {
                case Edit.Put put -> put.path();
                case Edit.Remove remove -> remove.path();
                case Edit.Add add -> add.list();
                case Edit.Drop drop -> drop.list();
            };
            (path.startsWith("buckets") ? ofBuckets : ofProxy).add(edit);
        }
        return new Overlay(ofProxy, ofBuckets);
    }
}

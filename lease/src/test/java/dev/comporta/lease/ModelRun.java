package dev.comporta.lease;

import dev.comporta.lease.ModelSetting.Trait;
import java.util.List;

/** Explores a world with all that is promised of it, and says how large it was. */
final class ModelRun {
    private ModelRun() {}

    static List<ModelFuture> futures(ModelSetting setting) {
        if (!setting.has(Trait.PRESSING)) {
            return setting.has(Trait.OUTLIVING)
                    ? List.of(
                            ModelFutures.allAreServed(false),
                            ModelFutures.allAreServed(true),
                            ModelFutures.outlivedOnesAreMadeUpFor(false),
                            ModelFutures.outlivedOnesAreMadeUpFor(true))
                    : List.of(ModelFutures.allAreServed(false), ModelFutures.allAreServed(true));
        }
        return List.of(
                ModelFutures.idleOnesGoToThoseInNeed(false),
                ModelFutures.idleOnesGoToThoseInNeed(true),
                ModelFutures.allInNeedHaveTheirShare(false),
                ModelFutures.allInNeedHaveTheirShare(true));
    }

    static ModelExplorer.Extent explore(ModelSetting setting) {
        long began = System.nanoTime();
        int threads = Math.min(4, Runtime.getRuntime().availableProcessors());
        ModelExplorer.Extent extent =
                new ModelExplorer(setting, ModelPromises::limitHolds, futures(setting)).explore(threads);
        System.out.printf(
                "%s: %,d states, %,d steps, the farthest after %d; %.1f s%n",
                setting, extent.states(), extent.steps(), extent.depth(), (System.nanoTime() - began) / 1e9);
        return extent;
    }
}

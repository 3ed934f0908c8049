package dev.comporta.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Moves from the start of a world, for people to read. */
final class ModelTrace {
    private record Step(ModelMove move, int peer) {}

    private final ModelSetting setting;
    private final ModelKey key;
    private final ModelBytes bytes = new ModelBytes();
    private final List<Step> steps = new ArrayList<>();

    ModelTrace(ModelSetting setting) {
        this.setting = setting;
        key = new ModelKey(setting);
    }

    void add(ModelMove move, int peer) {
        steps.add(new Step(move, peer));
    }

    /** The moves that lead through these states. States have no names in them: those of the instances are found anew. */
    String along(Collection<Long> numbers, ModelStates states) {
        for (long number : numbers) {
            if (!findStepTo(number, states)) {
                return told()
                        + "\n  and on, where the store chose otherwise between two whom only their names tell apart";
            }
        }
        return told();
    }

    private boolean findStepTo(long number, ModelStates states) {
        for (ModelMove move : ModelMove.ALL) {
            for (int peer = 0; peer < setting.instances(); peer++) {
                ModelWorld world = replayed();
                if (world.isPossible(move, world.peers[peer])) {
                    world.make(move, world.peers[peer]);
                    key.pack(world, bytes);
                    if (states.isOf(number, bytes)) {
                        add(move, peer);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private ModelWorld replayed() {
        ModelWorld world = new ModelWorld(setting);
        world.settle();
        for (Step step : steps) {
            world.make(step.move(), world.peers[step.peer()]);
        }
        return world;
    }

    String told() {
        ModelWorld world = new ModelWorld(setting);
        StringBuilder text = new StringBuilder("\n  start");
        for (Step step : steps) {
            text.append("\n  ").append(step.move().told(world.peers[step.peer()]));
        }
        return text.toString();
    }
}

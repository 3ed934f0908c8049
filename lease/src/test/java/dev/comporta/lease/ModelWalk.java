package dev.comporta.lease;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** One way through a world that is too large to be explored: chosen by a seed, and the same each time. */
final class ModelWalk {
    private record Choice(ModelMove move, int peer) {}

    private final ModelSetting setting;
    private final RandomGenerator random;
    private final ModelWorld world;
    private final ModelTrace trace;
    private final ModelKey key;
    private final ModelBytes state = new ModelBytes();
    private final List<ModelFuture.Seer> seers = new ArrayList<>();

    ModelWalk(ModelSetting setting, long seed, List<ModelFuture> eventually) {
        this.setting = setting;
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        world = new ModelWorld(setting);
        trace = new ModelTrace(setting);
        key = new ModelKey(setting);
        eventually.forEach(f -> seers.add(f.seer(setting)));
    }

    /**
     * @param futureEvery after so many steps it is looked what becomes of the world if nothing goes wrong from then on
     * @param faultEvery something goes wrong about once in so many steps
     */
    void go(int steps, int futureEvery, int faultEvery) {
        world.settle();
        try {
            for (int i = 1; i <= steps; i++) {
                step(random.nextInt(faultEvery) == 0);
                ModelPromises.limitHolds(world);
                if (i % futureEvery == 0) {
                    key.pack(world, state);
                    for (ModelFuture.Seer seer : seers) {
                        seer.check(state);
                    }
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e.getMessage() + " after:" + trace.told() + "\nin " + setting, e);
        }
    }

    /** All steps of the packed state, to compare with those of the real one. */
    void goAndCompare(int steps, int faultEvery) {
        world.settle();
        ModelReader reader = new ModelReader(setting);
        ModelBytes next = new ModelBytes();
        int[] names = new int[setting.instances()];
        Arrays.setAll(names, i -> i);
        for (int i = 0; i < steps; i++) {
            key.pack(world, state);
            ModelStates successors = new ModelStates();
            ModelWorld same = reader.read(state, names);
            for (Choice c : choices(same)) {
                same = reader.read(state, names);
                same.make(c.move(), same.peers[c.peer()]);
                key.pack(same, next);
                successors.add(next, ModelStates.NONE);
            }
            step(random.nextInt(faultEvery) == 0);
            key.pack(world, next);
            if (!successors.contains(next)) {
                throw new AssertionError("The packed state is another one than the real one after:" + trace.told()
                        + "\nbefore " + Arrays.toString(Arrays.copyOf(state.bytes, state.length))
                        + "\nafter  " + Arrays.toString(Arrays.copyOf(next.bytes, next.length)) + "\nin " + setting);
            }
        }
    }

    private void step(boolean withFault) {
        List<Choice> choices = choices(world);
        List<Choice> wanted = choices.stream()
                .filter(c -> (c.move().fault != null) == withFault)
                .toList();
        List<Choice> from = wanted.isEmpty() ? choices : wanted;
        Choice choice = from.get(random.nextInt(from.size()));
        trace.add(choice.move(), choice.peer());
        world.make(choice.move(), world.peers[choice.peer()]);
    }

    private List<Choice> choices(ModelWorld of) {
        List<Choice> found = new ArrayList<>();
        for (ModelMove move : ModelMove.ALL) {
            for (int p = 0; p < setting.instances(); p++) {
                if (of.isPossible(move, of.peers[p])) {
                    found.add(new Choice(move, p));
                }
            }
        }
        return found;
    }
}

package dev.comporta.lease;

import java.util.Arrays;

/**
 * What must become of every state if from now on nothing goes wrong. From each, rounds are played until the promise is kept
 * or a state is met from which it was kept before: states soon flow together, so that this costs little more than the first
 * round.
 */
abstract class ModelFuture {
    private static final int ROUNDS = 60;

    private final ModelStates kept = new ModelStates();
    private final String promise;

    ModelFuture(String promise) {
        this.promise = promise;
    }

    /** One round: everybody does what it has to do, and time passes. Must depend on the state alone. */
    abstract void round(ModelWorld w);

    abstract boolean isKept(ModelWorld w);

    /** For what must hold from then on. */
    void afterwards(ModelWorld w) {}

    private static void begin(ModelWorld w) {
        w.storeUp = true;
        w.faultsLeft = 0;
        w.turn = null;
        boolean someoneLives = false;
        for (ModelPeer p : w.peers) {
            p.cut = false;
            p.paused = false;
            p.ghost = null;
            someoneLives |= p.account != null;
        }
        if (!someoneLives) {
            w.peers[0].start(w.peers[0].nextIncarnation); // the dead are buried by whoever comes first
        }
        w.settle();
    }

    /** A call that is on its way ends, and another one follows. */
    static void callAndHear(ModelWorld w, ModelPeer p) {
        if (p.account().inFlight != null && p.request == null && p.reply == null) {
            w.giveUp(p);
        }
        if (p.request != null) {
            w.carryOut(p);
        }
        if (p.reply == null) {
            p.request = w.call(p);
            w.carryOut(p);
        }
        w.hear(p);
        w.settle();
    }

    static void pass(ModelWorld w) {
        w.now += ModelWorld.TICK;
        w.settle();
    }

    Seer seer(ModelSetting setting) {
        return new Seer(setting);
    }

    /** Looks into the future, for one thread. */
    final class Seer {
        private final ModelKey key;
        private final ModelReader reader;
        private final ModelBytes state = new ModelBytes();
        private final int[] names;
        private final ModelBytes[] met = new ModelBytes[ROUNDS];

        private Seer(ModelSetting setting) {
            key = new ModelKey(setting);
            reader = new ModelReader(setting);
            names = new int[setting.instances()];
            Arrays.setAll(names, i -> i);
            Arrays.setAll(met, i -> new ModelBytes());
        }

        void check(ModelBytes from) {
            state.set(from.bytes, 0, from.length);
            ModelWorld w = reader.read(state, names);
            begin(w);
            int rounds = 0;
            key.pack(w, met[0]);
            while (!kept.contains(met[rounds])) {
                if (isKept(w)) {
                    afterwards(w);
                    rounds++;
                    break;
                }
                round(w);
                ModelPromises.limitHolds(w);
                rounds++;
                if (rounds == ROUNDS) {
                    throw new AssertionError("It does not come about that " + promise);
                }
                key.pack(w, met[rounds]);
            }
            for (int i = 0; i < rounds; i++) {
                kept.add(met[i], ModelStates.NONE);
            }
        }
    }
}

package dev.comporta.lease;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Goes from states to those that follow. One thread's part of a {@link ModelExplorer}. */
final class ModelVisitor {
    private static final int PAGE = 1 << 16;
    /** Before each state in a page: its length and its number. */
    private static final int HEAD = Short.BYTES + Long.BYTES;

    private final ModelExplorer explorer;
    private final ModelSetting setting;
    private final ModelKey key;
    private final ModelReader reader;
    private final ModelBytes state = new ModelBytes();
    private final ModelBytes next = new ModelBytes();
    private final List<int[]> namings;
    private final List<ModelFuture.Seer> seers = new ArrayList<>();
    private ByteBuffer page = ByteBuffer.allocate(PAGE);
    private int[] possible = new int[64];
    private long made;

    ModelVisitor(ModelExplorer explorer) {
        this.explorer = explorer;
        setting = explorer.setting;
        key = new ModelKey(setting);
        reader = new ModelReader(setting);
        namings = namings(setting.instances());
        explorer.eventually.forEach(f -> seers.add(f.seer(setting)));
    }

    void begin() {
        ModelWorld world = new ModelWorld(setting);
        world.settle();
        arrive(world, ModelStates.NONE);
        turnOver();
    }

    void visit(byte[] states) {
        ByteBuffer from = ByteBuffer.wrap(states);
        while (from.remaining() >= HEAD) {
            int length = from.getShort();
            if (length == 0) {
                break;
            }
            long number = from.getLong();
            state.set(states, from.position(), length);
            from.position(from.position() + length);
            follow(number);
        }
    }

    private void follow(long number) {
        int moves = movesFrom(reader.read(state, namings.getFirst()));
        for (int i = 0; i < moves; i++) {
            ModelMove move = ModelMove.ALL[possible[i] / setting.instances()];
            int peer = possible[i] % setting.instances();
            for (int[] names : namings) {
                ModelWorld world = reader.read(state, names);
                try {
                    world.make(move, world.peers[names[peer]]);
                    arrive(world, number);
                } catch (AssertionError | RuntimeException e) {
                    String way = wayTo(number) + "\n  " + move.told(world.peers[names[peer]]);
                    throw new AssertionError(e.getMessage() + " after:" + way + "\nin " + setting, e);
                }
                if (!world.decidedByName) {
                    break;
                }
            }
        }
        made += moves;
    }

    private int movesFrom(ModelWorld world) {
        int count = 0;
        for (int i = 0; i < ModelMove.ALL.length * setting.instances(); i++) {
            int peer = i % setting.instances();
            if (world.isPossible(ModelMove.ALL[i / setting.instances()], world.peers[peer])) {
                if (count == possible.length) {
                    possible = Arrays.copyOf(possible, count * 2);
                }
                possible[count++] = i;
            }
        }
        return count;
    }

    private void arrive(ModelWorld world, long from) {
        key.pack(world, next);
        long number = explorer.seen.add(next, from);
        if (number == ModelStates.NONE) {
            return;
        }
        explorer.always.check(world);
        if (world.turn == null) { // in the middle of a turn nothing has begun yet that could come to an end
            for (ModelFuture.Seer seer : seers) {
                seer.check(next);
            }
        }
        if (page.remaining() < HEAD + next.length) {
            turnOver();
        }
        page.putShort((short) next.length).putLong(number).put(next.bytes, 0, next.length);
    }

    /** What was found so far is there for the next level. */
    void turnOver() {
        if (page.position() > 0) {
            explorer.toVisit(page.array());
            page = ByteBuffer.allocate(PAGE);
        }
        explorer.steps.addAndGet(made);
        made = 0;
    }

    /** Found again from the start, by the numbers of the states on the way. */
    private String wayTo(long number) {
        Deque<Long> numbers = new ArrayDeque<>();
        for (long n = number; n != ModelStates.NONE; n = explorer.seen.from(n)) {
            numbers.push(n);
        }
        numbers.pop(); // the start
        return new ModelTrace(setting).along(numbers, explorer.seen);
    }

    /** Every way to name so many instances, the order in which they are packed first. */
    private static List<int[]> namings(int instances) {
        List<int[]> found = new ArrayList<>();
        int[] names = new int[instances];
        for (int i = 0; i < instances; i++) {
            names[i] = i;
        }
        permute(names, 0, found);
        return found;
    }

    private static void permute(int[] names, int from, List<int[]> found) {
        if (from == names.length) {
            found.add(names.clone());
            return;
        }
        for (int i = from; i < names.length; i++) {
            swap(names, from, i);
            permute(names, from + 1, found);
            swap(names, from, i);
        }
    }

    private static void swap(int[] names, int a, int b) {
        int kept = names[a];
        names[a] = names[b];
        names[b] = kept;
    }
}

package dev.comporta.jdbc.explore;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One execution: at each step the given choices say who goes on, and where they end, the first of those who can. */
final class Run {
    /** A choice that was made, and among how many. */
    record Choice(int taken, int of) {}

    private static final int MOST_STEPS = 10_000;

    private final List<Actor> actors = new ArrayList<>();
    private final int[] given;
    private final int mostPreemptions;
    private final List<Choice> choices = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final IdentityHashMap<Object, Boolean> locked = new IdentityHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private int preemptions;
    /** From here on time passes as the actors look at it, the same in each run. */
    private long clock = System.nanoTime();

    private @Nullable Throwable failure;
    private volatile @Nullable Actor turn;

    Run(List<Runnable> bodies, int[] given, int mostPreemptions) {
        this.given = given;
        this.mostPreemptions = mostPreemptions;
        for (Runnable body : bodies) {
            actors.add(new Actor(this, actors.size(), body));
        }
    }

    List<Actor> actors() {
        return actors;
    }

    /** @return the choices made */
    List<Choice> execute() throws InterruptedException {
        actors.forEach(Actor::start);
        pass(choose(actors), "begin");
        if (!over.await(2, TimeUnit.MINUTES)) {
            throw new AssertionError("a step did not end" + told());
        }
        if (failure != null) {
            throw new AssertionError(failure.getMessage() + told(), failure);
        }
        return choices;
    }

    private String told() {
        return "\n  " + String.join("\n  ", trace);
    }

    boolean isTurnOf(Actor actor) {
        return turn == actor;
    }

    /**
     * The actor with the turn has come to a step, can't go on, or has finished.
     *
     * @return whether another has the turn now
     */
    boolean next(Actor from, boolean canGoOn, String where) {
        trace.add(from + ": " + where);
        if (trace.size() > MOST_STEPS) {
            failed(new AssertionError("no end after " + MOST_STEPS + " steps"));
        }
        List<Actor> able = new ArrayList<>();
        if (canGoOn) {
            able.add(from);
        }
        if (!canGoOn || preemptions < mostPreemptions) {
            actors.stream().filter(a -> a != from && a.canGoOn()).forEach(able::add);
            if (!canGoOn && from.canGoOn()) {
                able.add(from); // its wait may time out
            }
        }
        if (able.isEmpty() || failure != null) {
            if (failure == null && !actors.stream().allMatch(Actor::isFinished)) {
                failed(new AssertionError("nobody can go on: a wake-up was lost"));
            }
            turn = null;
            over.countDown();
            return true;
        }
        Actor to = choose(able);
        if (to == from) {
            return false;
        }
        preemptions += canGoOn ? 1 : 0;
        pass(to, where);
        return true;
    }

    /** Whoever is next in the circle, without a choice: a loop that yields would have no end of choices. */
    boolean giveWay(Actor from) {
        trace.add(from + ": yield");
        for (int i = 1; i < actors.size(); i++) {
            Actor to = actors.get((from.number() + i) % actors.size());
            if (to.canGoOn()) {
                pass(to, "yield");
                return true;
            }
        }
        return false;
    }

    private Actor choose(List<Actor> able) {
        if (able.size() == 1) {
            return able.getFirst();
        }
        int taken = choices.size() < given.length ? given[choices.size()] : 0;
        choices.add(new Choice(taken, able.size()));
        return able.get(taken);
    }

    private void pass(Actor to, String where) {
        turn = to;
        LockSupport.unpark(to.thread());
    }

    void failed(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    boolean isFree(Object lock) {
        return !locked.containsKey(lock);
    }

    void take(Object lock) {
        locked.put(lock, true);
    }

    void free(Object lock) {
        locked.remove(lock);
    }

    /** Time goes on by this much. */
    long pass(long nanos) {
        clock += nanos;
        return clock;
    }
}

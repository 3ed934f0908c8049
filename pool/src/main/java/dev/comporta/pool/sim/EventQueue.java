package dev.comporta.pool.sim;

import java.util.Arrays;

/**
 * The future events of a simulation, soonest first. A heap in parallel arrays, four children to a node: with hundreds of
 * thousands of tenants the depth is what costs.
 */
final class EventQueue {
    /** The kinds of events. */
    enum Kind {
        /** A tenant calls. */
        CALL,
        /** A tenant calls because of a burst, on top of its other calls. */
        BURST_CALL,
        /** A call is answered. */
        ANSWER,
        OPENED,
        CLOSED,
        CHECKED,
        TICK,
        BURST,
        DEATH,
        RETURN
    }

    private static final int CHILDREN = 4;

    private long[] times = new long[1024];
    private Kind[] kinds = new Kind[1024];
    private Object[] subjects = new Object[1024];
    private int size;

    EventQueue() {
        Arrays.fill(kinds, Kind.TICK);
        Arrays.fill(subjects, this);
    }

    boolean isEmpty() {
        return size == 0;
    }

    long nextTime() {
        return times[0];
    }

    Kind nextKind() {
        return kinds[0];
    }

    Object nextSubject() {
        return subjects[0];
    }

    void add(long time, Kind kind, Object subject) {
        if (size == times.length) {
            grow();
        }
        int i = size++;
        while (i > 0) {
            int parent = (i - 1) / CHILDREN;
            if (times[parent] <= time) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, time, kind, subject);
    }

    void removeNext() {
        size--;
        long time = times[size];
        Kind kind = kinds[size];
        Object subject = subjects[size];
        subjects[size] = this;
        int i = 0;
        while (true) {
            int soonest = soonestChild(i);
            if (soonest < 0 || times[soonest] >= time) {
                break;
            }
            move(soonest, i);
            i = soonest;
        }
        if (size > 0) {
            put(i, time, kind, subject);
        }
    }

    private int soonestChild(int i) {
        int first = CHILDREN * i + 1;
        if (first >= size) {
            return -1;
        }
        int soonest = first;
        for (int c = first + 1; c < Math.min(first + CHILDREN, size); c++) {
            if (times[c] < times[soonest]) {
                soonest = c;
            }
        }
        return soonest;
    }

    private void put(int i, long time, Kind kind, Object subject) {
        times[i] = time;
        kinds[i] = kind;
        subjects[i] = subject;
    }

    private void move(int from, int to) {
        put(to, times[from], kinds[from], subjects[from]);
    }

    private void grow() {
        int old = times.length;
        times = Arrays.copyOf(times, 2 * old);
        Kind[] moreKinds = new Kind[2 * old];
        Object[] moreSubjects = new Object[2 * old];
        Arrays.fill(moreKinds, Kind.TICK);
        Arrays.fill(moreSubjects, this);
        System.arraycopy(kinds, 0, moreKinds, 0, old);
        System.arraycopy(subjects, 0, moreSubjects, 0, old);
        kinds = moreKinds;
        subjects = moreSubjects;
    }
}

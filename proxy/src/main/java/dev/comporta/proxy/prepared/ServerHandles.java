package dev.comporta.proxy.prepared;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The handles that a server connection has for what clients have prepared. A reset empties it, here as there. Those that are
 * used least make room for new ones; what is left of them at the server is given up some dozens at a time. Confined to its
 * bucket's loop.
 */
public final class ServerHandles {
    /** Not a handle: none is ever 0. */
    public static final int NONE = 0;

    /** A server keeps a plan and some kilobytes for each. */
    private static final int MOST = 256;

    /** So many are given up in one message, which then is a small part of the traffic. */
    private static final int SURPLUS_GIVEN_UP = 32;

    /** With so many handles at the server that nobody knows the numbers of, it is better to lose all of them by a reset. */
    private static final int MOST_STRAYS = 16;

    private static final class Real {
        int number;
    }

    /** The one that was used last at the end. */
    private final Map<PreparedText, Real> handles = new LinkedHashMap<>(0, 0.75f, true);

    private final IntBag surplus = new IntBag();
    private int strays;
    private boolean passedOn;
    private boolean givesUpOld = true;

    /** Babelfish keeps a handle that sp_prepexec is to replace. */
    public void keepsOld() {
        givesUpOld = false;
    }

    /** Whether the server gives up the old handle that is given to a procedure which prepares. */
    public boolean givesUpOld() {
        return givesUpOld;
    }

    /** The server's handle for it; {@link #NONE} if it has none. */
    public int find(PreparedText text) {
        Real real = handles.get(text);
        return real == null ? NONE : real.number;
    }

    /** The same question, which does not count as a use. */
    public boolean has(PreparedText text) {
        return handles.containsKey(text);
    }

    public void put(PreparedText text, int number) {
        surplus.remove(number);
        Real real = handles.get(text);
        if (real == null) {
            makeRoom();
            real = new Real();
            handles.put(text, real);
        } else if (real.number != number) {
            spare(text, real.number);
        }
        real.number = number;
    }

    private void makeRoom() {
        if (handles.size() < MOST) {
            return;
        }
        Iterator<Map.Entry<PreparedText, Real>> eldest = handles.entrySet().iterator();
        while (eldest.hasNext()) {
            Map.Entry<PreparedText, Real> entry = eldest.next();
            if (!entry.getKey().isBound()) {
                spare(entry.getKey(), entry.getValue().number);
                eldest.remove();
                return;
            }
        }
    }

    /** The server was told to give it up, or may have been. */
    public void remove(PreparedText text) {
        handles.remove(text);
    }

    /** Its client wants it no more, and the server does not know yet. */
    public void spare(PreparedText text) {
        Real real = handles.remove(text);
        if (real != null) {
            spare(text, real.number);
        }
    }

    private void spare(PreparedText text, int number) {
        switch (text.kind()) {
            case STATEMENT -> surplus.add(number);
            case CURSOR -> strays++; // few have any: they go with the next reset
        }
    }

    /** The server may have given a handle that nobody has heard of. */
    public void stray() {
        strays++;
    }

    /** What the handles stand for is not known any more. */
    public void forget() {
        handles.clear();
        surplus.clear();
        strays = MOST_STRAYS;
    }

    /** The session was reset. */
    public void clear() {
        handles.clear();
        surplus.clear();
        strays = 0;
        passedOn = false;
    }

    public boolean isEmpty() {
        return handles.isEmpty() && surplus.isEmpty() && strays == 0;
    }

    /** Whether a reset that can be left out should be, because it would lose handles. */
    public boolean isWorthKeeping() {
        return !handles.isEmpty() && strays < MOST_STRAYS;
    }

    /** The connection goes to another client without a reset. */
    public void passOn() {
        passedOn |= !isEmpty();
    }

    /** Whether there are handles of other clients than the one that has the connection, or had it last. */
    public boolean hasOthers() {
        return passedOn;
    }

    public boolean isSurplusDue() {
        return surplus.size() >= SURPLUS_GIVEN_UP;
    }

    /** A batch that gives up what nobody uses, which is forgotten here. */
    public String giveUpSurplus() {
        StringBuilder sql = new StringBuilder(24 * surplus.size());
        for (int i = 0; i < surplus.size(); i++) {
            sql.append("EXEC sp_unprepare ").append(surplus.get(i)).append(';');
        }
        surplus.clear();
        return sql.toString();
    }
}

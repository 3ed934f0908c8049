package dev.comporta.proxy.prepared;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A server connection's handles for texts that clients have prepared. A reset clears them here and at the server. The least
 * recently used are evicted for new ones, and unprepared at the server some dozens at a time. Confined to its bucket's loop.
 */
public final class ServerHandles {
    /** No handle: none is ever 0. */
    public static final int NONE = 0;

    /** Limit of the handles of a connection for shared texts; a server keeps a plan and some kilobytes for each. */
    private static final int MOST = 256;

    /** The number of evicted handles that one message unprepares, so that it is a small part of the traffic. */
    private static final int SURPLUS_GIVEN_UP = 32;

    /** Limit of the evicted handles that wait to be unprepared: in a long transaction, nothing is. */
    static final int MOST_SURPLUS = 1024;

    /** With this many handles at the server whose numbers are unknown, losing all by a reset is better. */
    private static final int MOST_STRAYS = 16;

    private static final class Real {
        int number;
    }

    /** Those for texts that can be prepared again, the most recently used at the end. */
    private final Map<PreparedText, Real> shared = new LinkedHashMap<>(0, 0.75f, true);
    /** Those for bound texts, which only their client limits: apart, so that none of them is searched for one to evict. */
    private Map<PreparedText, Real> bound = new HashMap<>(0);

    private final IntBag surplus = new IntBag();
    private int strays;
    private boolean passedOn;
    private boolean givesUpOld = true;

    /** Babelfish keeps a handle that sp_prepexec is to replace. */
    public void keepsOld() {
        givesUpOld = false;
    }

    /** Whether the server drops an old handle that is passed to a preparing procedure. */
    public boolean givesUpOld() {
        return givesUpOld;
    }

    /** The server's handle for a text; {@link #NONE} if it has none. */
    public int find(PreparedText text) {
        Real real = of(text).get(text);
        return real == null ? NONE : real.number;
    }

    /** The same without counting as a use. */
    public boolean has(PreparedText text) {
        return of(text).containsKey(text);
    }

    private Map<PreparedText, Real> of(PreparedText text) {
        return text.isBound() ? bound : shared;
    }

    public void put(PreparedText text, int number) {
        surplus.remove(number);
        Map<PreparedText, Real> handles = of(text);
        Real real = handles.get(text);
        if (real == null) {
            if (!text.isBound()) {
                makeRoom();
            }
            real = new Real();
            handles.put(text, real);
        } else if (real.number != number) {
            spare(text, real.number);
        }
        real.number = number;
    }

    private void makeRoom() {
        if (shared.size() < MOST) {
            return;
        }
        Iterator<Map.Entry<PreparedText, Real>> eldest = shared.entrySet().iterator();
        Map.Entry<PreparedText, Real> entry = eldest.next();
        spare(entry.getKey(), entry.getValue().number);
        eldest.remove();
    }

    /** The server has unprepared it, or may have. */
    public void remove(PreparedText text) {
        of(text).remove(text);
    }

    /** Its client has unprepared it, but the server has not been told yet. */
    public void spare(PreparedText text) {
        Real real = of(text).remove(text);
        if (real != null) {
            spare(text, real.number);
        }
    }

    private void spare(PreparedText text, int number) {
        switch (text.kind()) {
            case STATEMENT -> {
                if (surplus.size() < MOST_SURPLUS) {
                    surplus.add(number);
                } else {
                    strays++;
                }
            }
            case CURSOR -> strays++; // rare: the next reset drops them
        }
    }

    /** The server may have given a handle whose number is not known. */
    public void stray() {
        strays++;
    }

    /** It is no longer known what the server's handles stand for. */
    public void forget() {
        clearAll();
        strays = MOST_STRAYS;
    }

    /** The session was reset. */
    public void clear() {
        clearAll();
        strays = 0;
        passedOn = false;
    }

    private void clearAll() {
        shared.clear();
        if (!bound.isEmpty()) {
            bound = new HashMap<>(0); // its table may be large
        }
        surplus.clear();
    }

    public boolean isEmpty() {
        return shared.isEmpty() && bound.isEmpty() && surplus.isEmpty() && strays == 0;
    }

    /** Whether to omit an optional reset, because it would lose handles. */
    public boolean isWorthKeeping() {
        return !(shared.isEmpty() && bound.isEmpty()) && strays < MOST_STRAYS;
    }

    /** The connection is given to another client without a reset. */
    public void passOn() {
        passedOn |= !isEmpty();
    }

    /** Whether there may be handles of clients other than the connection's present or last one. */
    public boolean hasOthers() {
        return passedOn;
    }

    public boolean isSurplusDue() {
        return surplus.size() >= SURPLUS_GIVEN_UP;
    }

    /** Returns a batch that unprepares the evicted handles, and forgets them. */
    public String giveUpSurplus() {
        StringBuilder sql = new StringBuilder(24 * surplus.size());
        for (int i = 0; i < surplus.size(); i++) {
            sql.append("EXEC sp_unprepare ").append(surplus.get(i)).append(';');
        }
        surplus.clear();
        return sql.toString();
    }
}

package dev.comporta.e2e.sessions;

import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a script is drawn from, and what it has drawn so far that later requests may refer to. */
final class Draw {
    final int client;
    final TdsVersion version;
    final ServerHabits habits;
    /** Whether what a request leaves for the next one is promised: {@code pin_identity}. */
    final boolean keepsResults;

    /** Handles of statements, and of cursors, that the session has prepared. */
    final List<Integer> prepared = new ArrayList<>();

    final List<Integer> preparedCursors = new ArrayList<>();
    private final List<Integer> givenUp = new ArrayList<>();
    /** Whether the session has set what Babelfish's reset keeps, or what it makes worse. */
    private boolean unresettable;

    private final Random random;
    private int entries;
    private int handles;

    Draw(Random random, int client, TdsVersion version, ServerHabits habits, boolean keepsResults) {
        this.random = random;
        this.client = client;
        this.version = version;
        this.habits = habits;
        this.keepsResults = keepsResults;
    }

    boolean isBabelfish() {
        return habits.isBabelfish();
    }

    /** Takes down that the text, if it runs, leaves what Babelfish's reset keeps. */
    String leavingTraces(String text) {
        unresettable = true;
        return text;
    }

    /** Whether a reset means the same on the server as through the proxy, which does what is documented of SQL Server. */
    boolean canReset() {
        return !isBabelfish() || !unresettable;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    @SafeVarargs
    final <T> T one(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** A key of the ledger that is new, or now and then one that was used before. */
    int entry() {
        return entries > 0 && chance(8) ? below(entries) : entries++;
    }

    /** A key of the ledger that was used, most likely. */
    int oldEntry() {
        return below(Math.max(1, entries));
    }

    /** Of something that is prepared. */
    int newHandle() {
        return handles++;
    }

    /** Of a cursor that is opened. */
    int newCursor() {
        return Handles.FIRST_CURSOR + handles++;
    }

    /** The session gives a handle up, and may still name it later. */
    int givingUp(int handle) {
        prepared.removeIf(known -> known == handle);
        if (handle != Handles.NEVER_GIVEN && !Handles.PINNED) {
            givenUp.add(handle);
        }
        return handle;
    }

    /** All handles are gone, and servers count anew: an old number may soon stand for something else. */
    void forgetHandles() {
        prepared.clear();
        preparedCursors.clear();
        givenUp.clear();
    }

    /** A handle of the script's, one that it had, or one that it never had. */
    int someHandle(List<Integer> known) {
        if (!givenUp.isEmpty() && chance(10)) {
            return one(givenUp);
        }
        return known.isEmpty() || chance(12) ? Handles.NEVER_GIVEN : one(known);
    }

    /** Keywords in any case: servers don't mind. */
    String cased(String text) {
        return switch (below(6)) {
            case 0 -> text.toLowerCase(java.util.Locale.ROOT);
            case 1 -> text.toUpperCase(java.util.Locale.ROOT);
            default -> text;
        };
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}

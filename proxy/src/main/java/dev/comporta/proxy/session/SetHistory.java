package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SetOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SETs of options that change one another, in the order in which they were made. What one option does to another
 * differs between servers, so nothing is inferred: the same SETs in the same order on a session that was reset give the
 * same session, and only the same history is an equal one. Shortened only where no server could tell the difference.
 * Immutable.
 */
final class SetHistory {
    /** Far more than a driver's prologue; a client that goes on and on is pinned instead. */
    static final int LONGEST = 16;

    static final SetHistory NONE = new SetHistory(new Entry[0]);

    private record Entry(SetOption option, String value) {}

    private final Entry[] entries;

    private SetHistory(Entry[] entries) {
        this.entries = entries;
    }

    /** The history after one more SET; this one if that changes nothing, null if it becomes too long. */
    @Nullable
    SetHistory with(SetOption option, String value) {
        Entry added = new Entry(option, value);
        if (changesNothing(added)) {
            return this;
        }
        List<Entry> changed = new ArrayList<>(Arrays.asList(entries));
        if (option.changesOthers()) {
            changed.add(added);
        } else {
            replace(changed, added);
        }
        dropWhatIsRepeated(changed);
        return changed.size() > LONGEST ? null : new SetHistory(changed.toArray(Entry[]::new));
    }

    private boolean changesNothing(Entry added) {
        for (int i = entries.length - 1; i >= 0; i--) {
            Entry entry = entries[i];
            if (entry.equals(added)) {
                return true;
            }
            if (added.option.changesOthers() || entry.option.changesOthers() || entry.option == added.option) {
                return false;
            }
        }
        return false;
    }

    /** An option that changes no other is decided by its last SET; among such options the order means nothing. */
    private static void replace(List<Entry> entries, Entry added) {
        entries.removeIf(entry -> entry.option == added.option);
        int at = entries.size();
        while (at > 0
                && !entries.get(at - 1).option.changesOthers()
                && entries.get(at - 1).option.compareTo(added.option) > 0) {
            at--;
        }
        entries.add(at, added);
    }

    /**
     * A language that is set twice with nothing in between is set once. Of a switch that is turned to and fro with
     * nothing in between, what it does to others is done by the last ON and the last OFF.
     */
    private static void dropWhatIsRepeated(List<Entry> entries) {
        for (int i = entries.size() - 2; i >= 0; i--) {
            Entry entry = entries.get(i);
            for (int next = i + 1; next < entries.size() && entries.get(next).option == entry.option; next++) {
                if (entries.get(next).equals(entry)) {
                    entries.remove(i);
                    break;
                }
                if (!entry.option.isSwitch()) {
                    break;
                }
            }
        }
    }

    boolean isEmpty() {
        return entries.length == 0;
    }

    /** Whether implicit transactions were last turned ON, or left to ANSI_DEFAULTS. */
    boolean mayBeImplicit() {
        for (int i = entries.length - 1; i >= 0; i--) {
            if (entries[i].option == SetOption.ANSI_DEFAULTS) {
                return true;
            }
            if (entries[i].option == SetOption.IMPLICIT_TRANSACTIONS) {
                return !entries[i].value.equals("OFF");
            }
        }
        return false;
    }

    /** Whether an option of the ANSI group is on; those that no SET has named are, for a login by any driver of the last decades. */
    boolean isOn(SetOption option) {
        for (int i = entries.length - 1; i >= 0; i--) {
            if (entries[i].option == option || entries[i].option == SetOption.ANSI_DEFAULTS) {
                return !entries[i].value.equals("OFF");
            }
        }
        return true;
    }

    /** How many SETs differ, place by place. */
    int distance(SetHistory other) {
        int common = Math.min(entries.length, other.entries.length);
        int differences = Math.max(entries.length, other.entries.length) - common;
        for (int i = 0; i < common; i++) {
            if (!entries[i].equals(other.entries[i])) {
                differences++;
            }
        }
        return differences;
    }

    void appendTo(StringBuilder sql) {
        for (Entry entry : entries) {
            sql.append(entry.option.toSql(entry.value)).append(';');
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof SetHistory that && Arrays.equals(entries, that.entries));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(entries);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(entry.option)
                    .append('=')
                    .append(entry.value);
        }
        return text.toString();
    }
}

package dev.comporta.proxy.session;

import dev.comporta.tds.sql.SetOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SETs of options that affect one another, in their order. What one option does to another differs between servers, so
 * nothing is inferred: the same SETs in the same order after a reset give the same session, and only equal histories are
 * equal. Shortened only where no server could tell the difference. Immutable.
 */
final class SetHistory {
    /** Far more than a driver's prologue; a client that exceeds it is pinned. */
    static final int LONGEST = 16;

    static final SetHistory NONE = new SetHistory(new Entry[0]);

    private record Entry(SetOption option, String value) {}

    private final Entry[] entries;

    private SetHistory(Entry[] entries) {
        this.entries = entries;
    }

    /** The history after one more SET; this one if that changes nothing, null if it is too long. */
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

    /** Only the last SET of an option that affects no other counts; the order among such options does not matter. */
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

    /** Drops repetitions: of a language set twice in a row, one remains; of a switch, the last ON and the last OFF in a row. */
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

    /** Whether IMPLICIT_TRANSACTIONS was last set ON, or by ANSI_DEFAULTS. */
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

    /** Whether an option of the ANSI group is on. Without a SET it is, as all drivers of the last decades turn it on at login. */
    boolean isOn(SetOption option) {
        for (int i = entries.length - 1; i >= 0; i--) {
            if (entries[i].option == option || entries[i].option == SetOption.ANSI_DEFAULTS) {
                return !entries[i].value.equals("OFF");
            }
        }
        return true;
    }

    /** The number of SETs that differ, position by position. */
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

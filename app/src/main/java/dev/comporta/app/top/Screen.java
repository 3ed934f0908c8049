package dev.comporta.app.top;

import java.util.List;
import java.util.Locale;

/**
 * The view that the user has chosen. Each key makes a new one.
 *
 * @param selected the name of the selected bucket, so that it stays selected when the order changes; else the first is
 * @param filter shows only names that contain it; empty shows all
 * @param scroll the number of lines by which a bucket's page is scrolled; the page may be shorter
 */
record Screen(Mode mode, String selected, String filter, Sort sort, boolean paused, int scroll) {
    private static final int PAGE = 10;

    enum Mode {
        /** All buckets. */
        BUCKETS,
        /** All buckets, while the user types the filter. */
        FILTER,
        /** One bucket. */
        BUCKET,
        ENDED
    }

    static final Screen FIRST = new Screen(Mode.BUCKETS, "", "", Sort.PRESSURE, false, 0);

    /** The buckets that are shown, in order. */
    List<BucketSum> shown(FleetSight fleet) {
        String wanted = filter.toLowerCase(Locale.ROOT);
        return fleet.buckets().stream()
                .filter(bucket -> bucket.bucket().toLowerCase(Locale.ROOT).contains(wanted))
                .sorted(sort.order())
                .toList();
    }

    /** The index of the selected bucket among them. */
    int bar(List<BucketSum> shown) {
        for (int i = 0; i < shown.size(); i++) {
            if (shown.get(i).bucket().equals(selected)) {
                return i;
            }
        }
        return 0;
    }

    /** @param fleet the fleet that was shown when the key was pressed */
    Screen press(Key key, FleetSight fleet) {
        if (key == Key.Named.INTERRUPT) {
            return in(Mode.ENDED);
        }
        return switch (mode) {
            case BUCKETS -> inBuckets(key, fleet);
            case FILTER -> inFilter(key, fleet);
            case BUCKET -> inBucket(key);
            case ENDED -> this;
        };
    }

    private Screen inBuckets(Key key, FleetSight fleet) {
        return switch (key) {
            case Key.Named named ->
                switch (named) {
                    case UP -> move(fleet, -1);
                    case DOWN -> move(fleet, 1);
                    case PAGE_UP -> move(fleet, -PAGE);
                    case PAGE_DOWN -> move(fleet, PAGE);
                    case HOME -> move(fleet, Integer.MIN_VALUE / 2);
                    case END -> move(fleet, Integer.MAX_VALUE / 2);
                    case ENTER -> open(fleet);
                    case ESCAPE -> filtered("");
                    case BACKSPACE, INTERRUPT, OTHER -> this;
                };
            case Key.Typed typed ->
                switch (typed.codePoint()) {
                    case 'k' -> move(fleet, -1);
                    case 'j' -> move(fleet, 1);
                    case '/' -> in(Mode.FILTER);
                    case 's' -> new Screen(mode, selected, filter, sort.next(), paused, scroll);
                    default -> anywhere(typed);
                };
        };
    }

    private Screen inFilter(Key key, FleetSight fleet) {
        return switch (key) {
            case Key.Named named ->
                switch (named) {
                    case UP -> move(fleet, -1);
                    case DOWN -> move(fleet, 1);
                    case ENTER -> in(Mode.BUCKETS);
                    case ESCAPE -> filtered("").in(Mode.BUCKETS);
                    case BACKSPACE ->
                        filtered(
                                filter.isEmpty()
                                        ? ""
                                        : filter.substring(0, filter.offsetByCodePoints(filter.length(), -1)));
                    case PAGE_UP, PAGE_DOWN, HOME, END, INTERRUPT, OTHER -> this;
                };
            case Key.Typed typed -> filtered(filter + Character.toString(typed.codePoint()));
        };
    }

    private Screen inBucket(Key key) {
        return switch (key) {
            case Key.Named named ->
                switch (named) {
                    case UP -> scrolled(-1);
                    case DOWN -> scrolled(1);
                    case PAGE_UP -> scrolled(-PAGE);
                    case PAGE_DOWN -> scrolled(PAGE);
                    case HOME -> scrolled(-scroll);
                    case ESCAPE, BACKSPACE -> in(Mode.BUCKETS);
                    case END, ENTER, INTERRUPT, OTHER -> this;
                };
            case Key.Typed typed ->
                switch (typed.codePoint()) {
                    case 'k' -> scrolled(-1);
                    case 'j' -> scrolled(1);
                    default -> anywhere(typed);
                };
        };
    }

    private Screen anywhere(Key.Typed typed) {
        return switch (typed.codePoint()) {
            case 'p' -> new Screen(mode, selected, filter, sort, !paused, scroll);
            case 'q' -> in(Mode.ENDED);
            default -> this;
        };
    }

    private Screen in(Mode other) {
        return new Screen(other, selected, filter, sort, paused, scroll);
    }

    private Screen filtered(String by) {
        return new Screen(mode, selected, by, sort, paused, scroll);
    }

    private Screen scrolled(int lines) {
        return scrolledTo(Math.max(0, scroll + lines));
    }

    Screen scrolledTo(int line) {
        return new Screen(mode, selected, filter, sort, paused, line);
    }

    private Screen move(FleetSight fleet, int by) {
        List<BucketSum> shown = shown(fleet);
        if (shown.isEmpty()) {
            return this;
        }
        int to = Math.clamp(bar(shown) + (long) by, 0, shown.size() - 1);
        return new Screen(mode, shown.get(to).bucket(), filter, sort, paused, scroll);
    }

    private Screen open(FleetSight fleet) {
        List<BucketSum> shown = shown(fleet);
        return shown.isEmpty()
                ? this
                : new Screen(Mode.BUCKET, shown.get(bar(shown)).bucket(), filter, sort, paused, 0);
    }
}

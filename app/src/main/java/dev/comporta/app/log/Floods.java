package dev.comporta.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.comporta.proxy.watch.ClientLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Limits log lines that clients and servers can cause in any number: of similar lines, the first few in ten seconds are
 * written, and then one line that counts the rest. Lines are similar if they have the same template, bucket, login and
 * reason. The memory is bounded even if logins are made up. Confined to the thread that writes the log.
 */
final class Floods {
    static final int LINES = 5;
    static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();
    /** Beyond this number of kinds in one window, logins and reasons are not distinguished any more. */
    static final int KINDS = 100;

    private static final String ANY = "";

    private record Kind(String logger, String template, String bucket, String login, String reason) {}

    private static final class Flood {
        final long until;
        int written;
        long heldBack;

        @Nullable
        ILoggingEvent last;

        Flood(long until) {
            this.until = until;
        }
    }

    private final Consumer<ILoggingEvent> out;
    /** In the order in which their windows end. */
    private final Map<Kind, Flood> floods = new LinkedHashMap<>();

    Floods(Consumer<ILoggingEvent> out) {
        this.out = out;
    }

    void take(ILoggingEvent event, long now) {
        end(now);
        if (event.getMarkerList() == null || !event.getMarkerList().contains(ClientLines.MANY)) {
            out.accept(event);
            return;
        }
        Flood flood = floods.computeIfAbsent(kindOf(event), _ -> new Flood(now + WINDOW_NANOS));
        if (flood.written < LINES) {
            flood.written++;
            out.accept(event);
        } else {
            flood.heldBack++;
            flood.last = event;
        }
    }

    /** Writes the summary lines of the floods whose window has ended. */
    void end(long now) {
        Iterator<Flood> oldest = floods.values().iterator();
        while (oldest.hasNext()) {
            Flood flood = oldest.next();
            if (now - flood.until < 0) {
                return;
            }
            oldest.remove();
            sumUp(flood);
        }
    }

    /** Writes the summary lines of all floods. */
    void endAll() {
        List<Flood> all = new ArrayList<>(floods.values());
        floods.clear();
        all.forEach(this::sumUp);
    }

    /** The time until the next window ends; a whole window if there is none. */
    long nanosToNext(long now) {
        return floods.isEmpty()
                ? WINDOW_NANOS
                : Math.max(1, floods.values().iterator().next().until - now);
    }

    private Kind kindOf(ILoggingEvent event) {
        String bucket = valueOf(event, ClientLines.BUCKET);
        String error = valueOf(event, ClientLines.ERROR);
        Kind kind = new Kind(
                event.getLoggerName(),
                event.getMessage(),
                bucket,
                valueOf(event, ClientLines.LOGIN),
                error.isEmpty() ? valueOf(event, ClientLines.REASON) : error);
        return floods.size() < KINDS || floods.containsKey(kind)
                ? kind
                : new Kind(kind.logger, kind.template, bucket, ANY, ANY);
    }

    private static String valueOf(ILoggingEvent event, String key) {
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                if (pair.key.equals(key)) {
                    return String.valueOf(pair.value);
                }
            }
        }
        return "";
    }

    /** Writes the last of the lines that were held back, with the number of the others. */
    private void sumUp(Flood flood) {
        ILoggingEvent last = flood.last;
        if (last == null) {
            return;
        }
        long more = flood.heldBack - 1;
        out.accept(more == 0 ? last : counting(last, more));
    }

    private static ILoggingEvent counting(ILoggingEvent last, long more) {
        LoggingEvent sum = new LoggingEvent();
        sum.setLoggerName(last.getLoggerName());
        sum.setLevel(last.getLevel());
        sum.setInstant(last.getInstant());
        sum.setMessage(String.format(
                Locale.ROOT,
                "%s … and %,d more like it in the last %d s",
                last.getFormattedMessage(),
                more,
                Duration.ofNanos(WINDOW_NANOS).toSeconds()));
        List<KeyValuePair> fields = new ArrayList<>();
        if (last.getKeyValuePairs() != null) {
            fields.addAll(last.getKeyValuePairs());
        }
        fields.add(new KeyValuePair("more", more));
        sum.setKeyValuePairs(fields);
        return sum;
    }
}

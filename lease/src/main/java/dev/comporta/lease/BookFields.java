package dev.comporta.lease;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of a {@link LeaseBook} that a store without a clock keeps: all except times, which every instance measures for
 * itself ({@link BookKeeper}). They are texts, numbers ({@link Long}) and maps of these.
 */
public final class BookFields {
    private BookFields() {}

    public static Map<String, Object> of(LeaseBook b) {
        Map<String, Object> entries = new LinkedHashMap<>();
        for (BookEntry e : b.entries) {
            entries.put(e.name, of(e));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("run", b.run);
        fields.put("epoch", b.epoch);
        fields.put("closed", b.closed ? 1L : 0L);
        fields.put("ticket", b.ticket);
        fields.put("limit", (long) b.limit);
        fields.put("change", b.version);
        fields.put("max", (long) b.max);
        fields.put("vacant", b.vacant ? 1L : 0L);
        fields.put("entries", entries);
        return fields;
    }

    private static Map<String, Object> of(BookEntry e) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("process", e.process);
        fields.put("incarnation", e.incarnation);
        fields.put("seq", e.seq);
        fields.put("granted", e.granted);
        fields.put("returned", e.returned);
        fields.put("asked", e.asked);
        fields.put("ticket", e.ticket);
        fields.put("epoch", e.epoch);
        fields.put("idle", (long) e.idle);
        fields.put("limit", (long) e.limit);
        fields.put("version", e.version);
        fields.put("fleet", (long) e.fleet);
        return fields;
    }

    /** @throws IllegalArgumentException if these are not the fields of a book: then the slots of the instances are not known */
    public static LeaseBook book(Map<String, Object> fields) {
        LeaseBook b = new LeaseBook();
        b.run = text(fields, "run");
        b.epoch = number(fields, "epoch");
        b.closed = number(fields, "closed") == 1;
        b.ticket = number(fields, "ticket");
        b.limit = (int) number(fields, "limit");
        b.version = number(fields, "change");
        b.max = (int) number(fields, "max");
        b.vacant = number(fields, "vacant") == 1;
        if (!(fields.get("entries") instanceof Map<?, ?> entries)) {
            throw new IllegalArgumentException("the bucket's book has no map 'entries'");
        }
        entries.forEach((name, entry) -> {
            if (!(entry instanceof Map<?, ?> values)) {
                throw new IllegalArgumentException("the bucket's book has an entry of '" + name + "' that is no map");
            }
            b.put(entry(String.valueOf(name), values));
        });
        return b;
    }

    private static BookEntry entry(String name, Map<?, ?> fields) {
        BookEntry e = new BookEntry(name);
        e.process = text(fields, "process");
        e.incarnation = number(fields, "incarnation");
        e.seq = number(fields, "seq");
        e.granted = number(fields, "granted");
        e.returned = number(fields, "returned");
        e.asked = number(fields, "asked");
        e.ticket = number(fields, "ticket");
        e.epoch = number(fields, "epoch");
        e.idle = (int) number(fields, "idle");
        e.limit = (int) number(fields, "limit");
        e.version = number(fields, "version");
        e.fleet = (int) number(fields, "fleet");
        return e;
    }

    private static String text(Map<?, ?> fields, String name) {
        if (fields.get(name) instanceof String value) {
            return value;
        }
        throw new IllegalArgumentException("the bucket's book has no text '" + name + "'");
    }

    private static long number(Map<?, ?> fields, String name) {
        if (fields.get(name) instanceof Long value) {
            return value;
        }
        throw new IllegalArgumentException("the bucket's book has no number '" + name + "'");
    }
}

package dev.comporta.lease.dynamodb;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The table's items: their keys, and how texts, numbers and maps of them are written. */
final class Items {
    static final String PARTITION = "pk";
    static final String SORT = "sk";
    /** How often the item was written; for people, and to notice that an old copy was put in its place. */
    static final String WRITES = "writes";
    /** Of the last write: what the next one compares. */
    static final String STAMP = "stamp";
    /** When DynamoDB may sweep the item up, in seconds since 1970. Nothing else reads it. */
    static final String EXPIRES = "expires";

    /** What nobody has written for this long belongs to nobody. */
    private static final Duration KEPT = Duration.ofDays(1);

    private Items() {}

    record Key(String partition, String sort) {
        Map<String, AttributeValue> attributes() {
            return Map.of(PARTITION, text(partition), SORT, text(sort));
        }

        static Key of(Map<String, AttributeValue> item) {
            return new Key(Items.text(item, PARTITION), Items.text(item, SORT));
        }
    }

    static Key book(String bucket) {
        return new Key("bucket#" + bucket, "book");
    }

    static Key rate(String bucket) {
        return new Key("bucket#" + bucket, "rate");
    }

    /** All beats are in one partition, to be read in one query. */
    static final String BEATS = "beats";

    static Key beat(String instance) {
        return new Key(BEATS, instance);
    }

    static Key inbox(String instance) {
        return new Key("inbox#" + instance, "inbox");
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static AttributeValue expiry() {
        return number(System.currentTimeMillis() / 1000 + KEPT.toSeconds());
    }

    static long number(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
    }

    static String text(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.s() == null ? "" : value.s();
    }

    static Map<String, AttributeValue> attributes(Map<?, ?> fields) {
        Map<String, AttributeValue> written = new LinkedHashMap<>();
        fields.forEach((name, value) -> written.put(name.toString(), attribute(value)));
        return written;
    }

    private static AttributeValue attribute(Object value) {
        return switch (value) {
            case Long number -> number(number);
            case String text -> text(text);
            case Map<?, ?> map -> AttributeValue.fromM(attributes(map));
            default -> throw new IllegalArgumentException(value.getClass() + " is not for a table");
        };
    }

    static Map<String, Object> fields(Map<String, AttributeValue> item) {
        Map<String, Object> read = new LinkedHashMap<>();
        item.forEach((name, value) -> {
            switch (value.type()) {
                case N -> read.put(name, Long.parseLong(value.n()));
                case S -> read.put(name, value.s());
                case M -> read.put(name, fields(value.m()));
                default -> {} // not written by an instance
            }
        });
        return read;
    }
}

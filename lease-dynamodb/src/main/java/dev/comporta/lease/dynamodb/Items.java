package dev.comporta.lease.dynamodb;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The table's items: their keys, and how their texts, numbers and maps are written. */
final class Items {
    static final String PARTITION = "pk";
    static final String SORT = "sk";
    /** How often the item was written; for people, and to notice that an old copy has replaced it. */
    static final String WRITES = "writes";
    /** Identifies the last write: the next one compares it. */
    static final String STAMP = "stamp";
    /** When DynamoDB may delete the item, in seconds since 1970. Nothing else reads it. */
    static final String EXPIRES = "expires";

    /** An item that was not written for this long belongs to no instance that runs. */
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

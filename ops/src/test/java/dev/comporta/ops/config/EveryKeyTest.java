package dev.comporta.ops.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.route.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each key of both files, as every-key.txt lists them: its default, and that a value which is written arrives. */
class EveryKeyTest {
    private enum Writing {
        NOTHING,
        THE_KEY,
        THE_KEY_IN_DEFAULTS
    }

    private record Row(
            String key, String where, String byDefault, String text, String written, List<String> otherKeys) {
        static Row parse(String line) {
            String[] cells = line.split("\\|");
            List<String> otherKeys = cells.length > 5 ? List.of(cells[5].strip().split(", ")) : List.of();
            return new Row(
                    cells[0].strip(),
                    cells[1].strip(),
                    cells[2].strip(),
                    cells[3].strip(),
                    cells[4].strip(),
                    otherKeys);
        }

        boolean isOfBucket() {
            return key.startsWith("buckets[].") && !key.equals("buckets[].id");
        }
    }

    @TempDir
    private Path directory;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.writeString(directory.resolve("some.pem"), "-----BEGIN");
        Files.writeString(directory.resolve("tenants.csv"), "database,bucket\ntenant1,b1\ntenant2,b1\n");
    }

    private static List<Row> rows() {
        try (InputStream table = EveryKeyTest.class.getResourceAsStream("every-key.txt")) {
            return new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Row::parse)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void everyKeyOfBothFilesIsInTheTable() {
        Set<String> known = new TreeSet<>();
        ConfigurationReader.PROXY_FILE.visit("", (path, entry) -> known.add(path));
        ConfigurationReader.BUCKETS_FILE.visit("", (path, entry) -> known.add(path));
        known.removeIf(path -> path.startsWith("defaults."));
        assertThat(rows().stream().map(Row::key)).containsExactlyInAnyOrderElementsOf(known);
    }

    @TestFactory
    Stream<DynamicTest> defaultHoldsWhereTheKeyIsNotWritten() {
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.key(),
                        () -> assertThat(valueOf(row, Writing.NOTHING)).isEqualTo(row.byDefault())));
    }

    @TestFactory
    Stream<DynamicTest> valueThatIsWrittenArrives() {
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.key(),
                        () -> assertThat(valueOf(row, Writing.THE_KEY))
                                .isEqualTo(row.written())
                                .as("not the default, which proves nothing")
                                .isNotEqualTo(row.byDefault())));
    }

    @TestFactory
    Stream<DynamicTest> valueInDefaultsHoldsForTheBucket() {
        return rows().stream()
                .filter(Row::isOfBucket)
                .map(row -> DynamicTest.dynamicTest(
                        row.key(),
                        () -> assertThat(valueOf(row, Writing.THE_KEY_IN_DEFAULTS))
                                .isEqualTo(row.written())));
    }

    private String valueOf(Row row, Writing writing) {
        Configuration configuration = read(row, writing);
        if (row.where().startsWith("route: ")) {
            return routeOf(configuration, row.where().substring("route: ".length()));
        }
        Object at = configuration;
        for (String step : row.where().split("\\.")) {
            at = step(at, step);
        }
        return switch (at) {
            case Optional<?> nothing when nothing.isEmpty() -> "none";
            case HiddenText secret -> "secret " + secret.reveal();
            default -> at.toString().replace(directory.toString(), "DIR");
        };
    }

    private static String routeOf(Configuration configuration, String login) {
        String[] traits = login.split(",", -1);
        return switch (configuration.router().route(traits[0], traits[1], traits[2], traits[3])) {
            case Route.To(String bucket, Route.Rule rule) -> bucket + " by " + rule;
            case Route.None none -> "none";
        };
    }

    // Reads one record component. An empty Optional stays as it is; a present one is unwrapped.
    private static Object step(Object at, String step) {
        if (at instanceof Optional<?> absent) {
            return absent;
        }
        try {
            int bracket = step.indexOf('[');
            String name = bracket < 0 ? step : step.substring(0, bracket);
            Object value = at.getClass().getMethod(name).invoke(at);
            if (bracket >= 0) {
                List<?> list = (List<?>) value;
                value = list.isEmpty() ? Optional.empty() : step.endsWith("[last]") ? list.getLast() : list.getFirst();
            }
            return value instanceof Optional<?> present && present.isPresent() ? present.get() : value;
        } catch (ReflectiveOperationException noSuchComponent) {
            throw new AssertionError("every-key.txt points at " + step + " of " + at.getClass(), noSuchComponent);
        }
    }

    private Configuration read(Row row, Writing writing) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("buckets[].id", "b1");
        keys.put("buckets[].host", "db");
        keys.put("buckets[].max_connections", "40");
        for (String other : row.otherKeys()) {
            String[] parts = other.split("[ =]", 3);
            if (parts[0].equals("without")) {
                keys.computeIfPresent(parts[1], (_, text) -> writing == Writing.NOTHING ? text : null);
            } else if (parts[0].equals("always") || writing != Writing.NOTHING) {
                keys.put(parts[1], parts[2]);
            }
        }
        switch (writing) {
            case NOTHING -> {}
            case THE_KEY -> keys.put(row.key(), row.text());
            case THE_KEY_IN_DEFAULTS -> moveToDefaults(row, keys);
        }
        YamlText proxy = new YamlText();
        YamlText buckets = new YamlText();
        keys.forEach((key, text) -> (isOfBuckets(key) ? buckets : proxy).set(key, text));
        Reading reading =
                new ConfigurationReader(name -> null, "machine").read(proxy.toString(), buckets.toString(), directory);
        assertThat(reading.configuration()).as("%s", reading.problems()).isPresent();
        return reading.orThrow();
    }

    // With its whole list: an item of a list is not put together from two places.
    private static void moveToDefaults(Row row, Map<String, String> keys) {
        keys.put(row.key(), row.text());
        int item = row.key().indexOf("[].", "buckets[].".length());
        String moved = item < 0 ? row.key() : row.key().substring(0, item);
        for (String key : List.copyOf(keys.keySet())) {
            String text = keys.get(key);
            if (key.startsWith(moved) && !key.equals("buckets[].id")) {
                keys.remove(key);
                keys.put(key.replaceFirst("^buckets\\[]", "defaults"), text);
            }
        }
    }

    private static boolean isOfBuckets(String key) {
        return key.startsWith("buckets") || key.startsWith("defaults") || key.startsWith("databases");
    }
}

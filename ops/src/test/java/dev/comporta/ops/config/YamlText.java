package dev.comporta.ops.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes YAML from paths such as {@code buckets[].reservoir.target_ready}; {@code []} is a list of one item. */
final class YamlText {
    private final Map<String, Object> root = new LinkedHashMap<>();

    YamlText set(String path, String value) {
        Map<String, Object> at = root;
        String[] names = path.split("\\.");
        for (int i = 0; i < names.length - 1; i++) {
            at = child(at, names[i]);
        }
        at.put(names[names.length - 1], value);
        return this;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> child(Map<String, Object> at, String name) {
        if (name.endsWith("[]")) {
            String key = name.substring(0, name.length() - 2);
            List<Map<String, Object>> list =
                    (List<Map<String, Object>>) at.computeIfAbsent(key, k -> List.of(new LinkedHashMap<>()));
            return list.getFirst();
        }
        return (Map<String, Object>) at.computeIfAbsent(name, k -> new LinkedHashMap<String, Object>());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(root, "", text);
        return text.toString();
    }

    private static void write(Map<?, ?> map, String indent, StringBuilder text) {
        map.forEach((name, value) -> {
            text.append(indent).append(name).append(':');
            switch (value) {
                case Map<?, ?> inner -> {
                    text.append('\n');
                    write(inner, indent + "  ", text);
                }
                case List<?> list -> {
                    text.append('\n');
                    StringBuilder item = new StringBuilder();
                    write((Map<?, ?>) list.getFirst(), indent + "    ", item);
                    text.append(indent).append("  - ").append(item.toString().stripLeading());
                }
                default -> text.append(' ').append(value).append('\n');
            }
        });
    }
}

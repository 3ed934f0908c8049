package dev.comporta.e2e.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** YAML as maps and lists, with a path to look into it. */
final class Yaml {
    private Yaml() {}

    private static Load reader() {
        return new Load(LoadSettings.builder().setSchema(new CoreSchema()).build());
    }

    /** With merge keys ({@code <<}) merged. */
    static Map<String, Object> read(Path file) throws IOException {
        return merged(reader().loadFromString(Files.readString(file)));
    }

    static List<Map<String, Object>> readAll(String text) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object one : reader().loadAllFromString(text)) {
            if (one != null) {
                all.add(merged(one));
            }
        }
        return all;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> merged(Object node) {
        return (Map<String, Object>) merge(node);
    }

    private static Object merge(Object node) {
        if (node instanceof List<?> list) {
            return list.stream().map(Yaml::merge).toList();
        }
        if (!(node instanceof Map<?, ?> map)) {
            return node;
        }
        Map<Object, Object> out = new LinkedHashMap<>();
        if (map.get("<<") instanceof Map<?, ?> base) {
            out.putAll((Map<?, ?>) merge(base));
        }
        map.forEach((key, value) -> {
            if (!key.equals("<<")) {
                out.put(key, value == null ? Map.of() : merge(value));
            }
        });
        return out;
    }

    /** What is at this path; a part of it may be a number, for a list. */
    @SuppressWarnings("unchecked")
    static <T> T at(Object node, String... path) {
        Object at = node;
        for (String part : path) {
            at = at instanceof List<?> list ? list.get(Integer.parseInt(part)) : ((Map<?, ?>) at).get(part);
            if (at == null) {
                throw new AssertionError("no " + part + " of " + String.join("/", path));
            }
        }
        return (T) at;
    }
}

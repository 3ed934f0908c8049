package dev.comporta.app.api;

import dev.comporta.ops.http.HttpRefusal;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.json.Json;
import dev.comporta.ops.json.MalformedJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON object in the body of a request. */
record RequestBody(Map<String, @Nullable Object> members) {
    private static final String JSON = "application/json";

    /** Reads the body; a request without one has no members. */
    static RequestBody of(HttpRequest request) {
        String type = request.header("Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        // Prevents requests from other sites: a form can't send this type, nor a script without CORS.
        if (!type.equals(JSON) && !(type.isEmpty() && request.body().length == 0)) {
            throw new HttpRefusal(415, "The body must be JSON: send the header 'Content-Type: application/json'.");
        }
        if (request.body().length == 0) {
            return new RequestBody(Map.of());
        }
        try {
            return new RequestBody(Json.readObject(request.body()));
        } catch (MalformedJson e) {
            throw new HttpRefusal(400, e.getMessage());
        }
    }

    RequestBody allowing(Collection<String> names) {
        for (String member : members.keySet()) {
            if (!names.contains(member)) {
                throw new HttpRefusal(
                        400, "The body has an unknown member '" + member + "'." + Hint.among(names, member));
            }
        }
        return this;
    }

    String text(String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new HttpRefusal(400, "The body must have the member '" + name + "', a text.");
    }

    /** A value in the form of the configuration files; a list's values are separated by commas. */
    String value(String name) {
        if (!members.containsKey(name)) {
            throw new HttpRefusal(400, "The body must have the member '" + name + "'.");
        }
        String value = scalar(name, members.get(name));
        if (value == null) {
            throw new HttpRefusal(400, "'" + name + "' is null. Write the value.");
        }
        return value;
    }

    /** The members and those of their objects, by their paths; null where a value is null. */
    Map<String, @Nullable String> options() {
        Map<String, @Nullable String> options = new LinkedHashMap<>();
        flatten("", members, options);
        return options;
    }

    private static void flatten(String prefix, Map<?, ?> object, Map<String, @Nullable String> options) {
        object.forEach((name, value) -> {
            String path = prefix + name;
            if (value instanceof Map<?, ?> below) {
                flatten(path + ".", below, options);
            } else if (options.containsKey(path)) {
                throw new HttpRefusal(400, "'" + path + "' is given twice.");
            } else {
                options.put(path, scalar(path, value));
            }
        });
    }

    private static @Nullable String scalar(String path, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case List<?> list -> joined(path, list);
            case Map<?, ?> _ -> throw new HttpRefusal(400, "'" + path + "' must be a value, not an object.");
            default -> value.toString();
        };
    }

    private static String joined(String path, List<?> list) {
        List<String> values = new ArrayList<>();
        for (Object item : list) {
            if (item == null || item instanceof Map<?, ?> || item instanceof List<?>) {
                throw new HttpRefusal(
                        400, "'" + path + "' must be a list of plain values. Others are written in the files.");
            }
            String value = item.toString();
            if (value.contains(",")) {
                throw new HttpRefusal(400, "A value of the list '" + path + "' has a comma, which separates values.");
            }
            values.add(value);
        }
        return String.join(",", values);
    }
}

package dev.comporta.monitoring.board;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON object that keeps the order of its members, so that a small change makes a small difference in the file. */
final class Members {
    private static final ObjectMapper READER = new ObjectMapper();

    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Parses a constant JSON text. */
    static JsonNode json(String text) {
        try {
            return READER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    Members put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    @JsonValue
    Map<String, Object> members() {
        return members;
    }
}

package dev.comporta.monitoring.board;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON object in the order in which it is written, so that a change shows as one. */
final class Members {
    private static final ObjectMapper READER = new ObjectMapper();

    private final Map<String, Object> members = new LinkedHashMap<>();

    /** One that is the same for all boards, as it is written. */
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

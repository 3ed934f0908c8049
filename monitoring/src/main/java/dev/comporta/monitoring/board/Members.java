package dev.comporta.monitoring.board;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON object in the order in which it is written, so that a change shows as one. */
final class Members {
    private final Map<String, Object> members = new LinkedHashMap<>();

    Members put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    @JsonValue
    Map<String, Object> members() {
        return members;
    }
}

package dev.comporta.app.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What a text of SQL came to.
 *
 * @param json all of it
 * @param results of its queries, in order
 * @param messages of its commands, in order
 */
public record Answer(JsonNode json, List<ResultTable> results, List<String> messages) {
    static Answer of(JsonNode json) {
        List<ResultTable> results = new ArrayList<>();
        json.path("results").forEach(result -> results.add(new ResultTable(result)));
        List<String> messages = new ArrayList<>();
        json.path("messages").forEach(message -> messages.add(message.asText()));
        return new Answer(json, List.copyOf(results), List.copyOf(messages));
    }
}

package dev.comporta.app.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a text of SQL.
 *
 * @param json the whole answer
 * @param results the results of the queries, in order
 * @param messages the messages of the commands, in order
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

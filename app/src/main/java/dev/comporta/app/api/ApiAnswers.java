package dev.comporta.app.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.comporta.console.Outcome;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.json.Json;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API's responses, in JSON. */
final class ApiAnswers {
    private static final int BAD_REQUEST = 400;

    private ApiAnswers() {}

    /** {@code {"error":{"status":…,"message":…}}} */
    static HttpResponse refusal(int status, String message) {
        return HttpResponse.json(status, Json.write(json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("error");
            json.writeNumberField("status", status);
            json.writeStringField("message", message);
            json.writeEndObject();
            json.writeEndObject();
        }));
    }

    /** {@code {"message":…,"audit":…}} */
    static HttpResponse done(int status, String message, String audit) {
        return HttpResponse.json(status, Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("message", message);
            json.writeStringField("audit", audit);
            json.writeEndObject();
        }));
    }

    /** {@code {"rows":[{column: value, …}, …]}} */
    static HttpResponse rows(Outcome.Rows result) {
        return HttpResponse.json(HttpResponse.OK, Json.write(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("rows");
            for (Row row : result.rows()) {
                json.writeStartObject();
                for (int i = 0; i < row.size(); i++) {
                    json.writeFieldName(result.columns().get(i).name());
                    Json.writeValue(json, row.get(i));
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    /**
     * The results and messages of a text; if a statement failed, its error, with the results and messages of those before it.
     */
    static HttpResponse outcomes(List<Outcome> outcomes) {
        Outcome.@Nullable Failed failed =
                !outcomes.isEmpty() && outcomes.getLast() instanceof Outcome.Failed last ? last : null;
        byte[] body = Json.write(json -> {
            json.writeStartObject();
            if (failed != null) {
                writeError(json, failed);
            }
            if (failed == null || outcomes.size() > 1) {
                writeResults(json, outcomes);
                writeMessages(json, outcomes);
            }
            json.writeEndObject();
        });
        return HttpResponse.json(failed == null ? HttpResponse.OK : BAD_REQUEST, body);
    }

    private static void writeError(JsonGenerator json, Outcome.Failed failed) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeNumberField("status", BAD_REQUEST);
        json.writeNumberField("number", failed.number());
        json.writeStringField("message", failed.message());
        json.writeNumberField("line", failed.line());
        json.writeNumberField("column", failed.column());
        json.writeEndObject();
    }

    private static void writeResults(JsonGenerator json, List<Outcome> outcomes) throws IOException {
        json.writeArrayFieldStart("results");
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Rows result) {
                json.writeStartObject();
                json.writeArrayFieldStart("columns");
                for (Column column : result.columns()) {
                    json.writeStartObject();
                    json.writeStringField("name", column.name());
                    json.writeStringField("type", column.type().name());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeArrayFieldStart("rows");
                for (Row row : result.rows()) {
                    json.writeStartArray();
                    for (int i = 0; i < row.size(); i++) {
                        Json.writeValue(json, row.get(i));
                    }
                    json.writeEndArray();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static void writeMessages(JsonGenerator json, List<Outcome> outcomes) throws IOException {
        json.writeArrayFieldStart("messages");
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Done(String message) && !message.isEmpty()) {
                json.writeString(message);
            }
        }
        json.writeEndArray();
    }
}

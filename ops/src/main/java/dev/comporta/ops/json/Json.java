package dev.comporta.ops.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON piece by piece, and reads a whole text at once, in memory. */
public final class Json {
    private static final int USUAL_SIZE = 4096;
    /** Deeper than any request needs, and shallow enough for any stack. */
    private static final int DEEPEST = 16;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Writes one value. */
    @FunctionalInterface
    public interface Content {
        void writeTo(JsonGenerator json) throws IOException;
    }

    private Json() {}

    public static byte[] write(Content content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_SIZE);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            content.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // can't happen: it writes to memory
        }
        return out.toByteArray();
    }

    /** Writes a value of a table: a time as an instant in UTC, and types that JSON lacks as text. */
    public static void writeValue(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Boolean bit -> json.writeBoolean(bit);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number when !Double.isFinite(number) -> json.writeNull(); // JSON has no NaN or infinity
            case Double number -> json.writeNumber(number);
            case LocalDateTime time ->
                json.writeString(DateTimeFormatter.ISO_INSTANT.format(time.toInstant(ZoneOffset.UTC)));
            default -> json.writeString(value.toString());
        }
    }

    /**
     * Reads a text that is one object.
     *
     * @return text, numbers, booleans, nulls, maps and lists, in their order
     * @throws MalformedJson for everything else, also for an object with two members of one name
     */
    public static Map<String, @Nullable Object> readObject(byte[] text) throws MalformedJson {
        try (JsonParser json = FACTORY.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedJson("The body is not a JSON object.");
            }
            Map<String, @Nullable Object> object = object(json);
            if (json.nextToken() != null) {
                throw new MalformedJson("Something follows the JSON object.");
            }
            return object;
        } catch (StreamReadException e) {
            JsonLocation at = e.getLocation();
            throw new MalformedJson("The body is not JSON: " + e.getOriginalMessage()
                    + (at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")"));
        } catch (IOException e) {
            // Such as invalid or incomplete UTF-8.
            throw new MalformedJson("The body is not JSON: " + e.getMessage());
        }
    }

    private static Map<String, @Nullable Object> object(JsonParser json) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        String name = json.nextFieldName();
        while (name != null) {
            json.nextToken();
            members.put(name, value(json));
            name = json.nextFieldName();
        }
        return members;
    }

    private static List<@Nullable Object> list(JsonParser json) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(json));
        }
        return items;
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> list(json);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case FIELD_NAME, END_OBJECT, END_ARRAY, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("the parser let through a " + json.currentToken());
        };
    }
}

package dev.comporta.app.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a line as any reader of JSON would. */
public final class JsonText {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JsonText() {}

    /** The members of an object that has no other object in it: texts and numbers. */
    public static Map<String, Object> members(String line) {
        Map<String, Object> members = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(line)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT, line);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                switch (parser.nextToken()) {
                    case VALUE_STRING -> members.put(name, parser.getText());
                    case VALUE_NUMBER_INT -> members.put(name, parser.getLongValue());
                    default -> expect(false, line);
                }
            }
            expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null, line);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
        return members;
    }

    private static void expect(boolean is, String line) {
        if (!is) {
            throw new AssertionError("not an object of texts and numbers: " + line);
        }
    }
}

package dev.comporta.ops.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static Map<String, Object> read(String text) throws MalformedJson {
        return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void textCantBreakOutOfItsQuotes() {
        byte[] written = Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("a\"b", "\\ \" \n \u0001 é");
            json.writeEndObject();
        });
        assertThat(new String(written, StandardCharsets.UTF_8)).isEqualTo("{\"a\\\"b\":\"\\\\ \\\" \\n \\u0001 é\"}");
    }

    @Test
    void anObjectIsReadWithAllThatIsInIt() throws MalformedJson {
        Map<String, Object> object = read(
                " {\"text\": \"\\u00e9\", \"n\": 5, \"f\": 0.5, \"yes\": true, \"in\": {\"list\": [1, \"b\", null]}, \"none\": null} ");
        assertThat(object.keySet()).containsExactly("text", "n", "f", "yes", "in", "none");
        assertThat(object)
                .containsEntry("text", "é")
                .containsEntry("n", 5)
                .containsEntry("f", 0.5)
                .containsEntry("yes", true)
                .containsEntry("in", Map.of("list", Arrays.asList(1, "b", null)))
                .containsEntry("none", null);
        assertThat(read("{}")).isEqualTo(Map.of());
        assertThat(read("{\"a\":[]}")).isEqualTo(Map.of("a", List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "[]",
                "5",
                "null",
                "{",
                "{\"a\":",
                "{\"a\":1,}",
                "{'a':1}",
                "{\"a\":1} x",
                "{\"a\":1}{}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":NaN}",
                "{\"a\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}",
            })
    void whatIsNoObjectIsRefused(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(MalformedJson.class)
                .hasMessageMatching("(?s)(The body is not|Something).+");
    }

    @Test
    void aMistakeIsShownWithItsPlace() {
        assertThatThrownBy(() -> read("{\"a\": 1,\n \"b\" 2}"))
                .hasMessageStartingWith("The body is not JSON: ")
                .hasMessageEndingWith("(line 2, column 6)");
        assertThatThrownBy(() -> Json.readObject(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}))
                .isInstanceOf(MalformedJson.class);
    }
}

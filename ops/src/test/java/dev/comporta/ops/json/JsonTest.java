package dev.comporta.ops.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void membersComeInTheOrderOfTheirPuttingAndTheAbsentNotAtAll() {
        Json json = new Json()
                .put("b", "x")
                .put("a", 1)
                .put("none", Optional.empty())
                .put("some", Optional.of(true))
                .put("list", List.of(new Json().put("n", 0.5), new Json()));
        assertThat(json).hasToString("{\"b\":\"x\",\"a\":1,\"some\":true,\"list\":[{\"n\":0.5},{}]}");
    }

    @Test
    void textCantBreakOutOfItsQuotes() {
        assertThat(new Json().put("a\"b", "\\ \" \n \u0001 é"))
                .hasToString("{\"a\\\"b\":\"\\\\ \\\" \\u000a \\u0001 é\"}");
    }
}

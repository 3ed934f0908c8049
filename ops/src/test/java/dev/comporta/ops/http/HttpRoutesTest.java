package dev.comporta.ops.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HttpRoutesTest {
    private final HttpRoutes routes = new HttpRoutes()
            .get("/things", request -> text("all"))
            .on("POST", "/things", request -> text("made"))
            .get("/things/first", request -> text("first"))
            .get("/things/{id}", request -> text("thing " + request.variable("id")))
            .on(
                    "POST",
                    "/things/{id}/parts/{part}",
                    request -> text(request.variable("id") + " has " + request.variable("part")))
            .under("/tree", request -> text("tree " + request.path()))
            .get("/broken", request -> {
                throw new IllegalStateException("on purpose");
            });

    private static HttpResponse text(String text) {
        return HttpResponse.ok("text/plain", text.getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse ask(String method, String path) {
        return routes.handle(new HttpRequest(method, path, Map.of(), Map.of(), new byte[0], "10.0.0.1", Map.of()));
    }

    private String told(String method, String path) {
        return new String(ask(method, path).body(), StandardCharsets.UTF_8);
    }

    @Test
    void aPathLeadsToItsHandlerByMethod() {
        assertThat(told("GET", "/things")).isEqualTo("all");
        assertThat(told("HEAD", "/things")).isEqualTo("all");
        assertThat(told("POST", "/things")).isEqualTo("made");
        assertThat(told("GET", "/things/first")).isEqualTo("first");
        assertThat(told("GET", "/things/7")).isEqualTo("thing 7");
        assertThat(told("POST", "/things/7/parts/x")).isEqualTo("7 has x");
        assertThat(told("DELETE", "/tree")).isEqualTo("tree /tree");
        assertThat(told("GET", "/tree/a/b")).isEqualTo("tree /tree/a/b");
    }

    @Test
    void whatIsNotThereSaysWhatIs() {
        assertThat(ask("GET", "/thing").status()).isEqualTo(404);
        assertThat(told("GET", "/thing")).contains("there is nothing at /thing. Try ", "/things, ");
        assertThat(ask("GET", "/things/7/parts").status()).isEqualTo(404);
        assertThat(ask("GET", "/things/").status())
                .as("an empty part is no name")
                .isEqualTo(404);
        assertThat(ask("GET", "/treetop").status()).isEqualTo(404);
    }

    @Test
    void anotherMethodIsToldThoseThatWork() {
        HttpResponse refused = ask("PUT", "/things");
        assertThat(refused.status()).isEqualTo(405);
        assertThat(refused.headers()).containsEntry("Allow", "GET, HEAD, POST");
        assertThat(ask("GET", "/things/7/parts/x").headers()).containsEntry("Allow", "POST");
        assertThat(routes.methods()).containsEntry("/things", Set.of("GET", "POST"));
    }

    @Test
    void aHandlerThatFailsIsAnAnswerToo() {
        assertThat(ask("GET", "/broken").status()).isEqualTo(500);
        routes.get("/closed", request -> {
            throw new HttpRefusal(409, "It is closed.");
        });
        assertThat(told("GET", "/closed")).isEqualTo("409 Conflict: It is closed.\n");
    }
}

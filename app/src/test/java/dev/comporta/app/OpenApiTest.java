package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.api.AdminApi;
import dev.comporta.app.console.EventLog;
import dev.comporta.console.table.View;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.work.BackgroundWork;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** docs/openapi.yaml describes the paths, methods and columns that there are. */
@Timeout(240)
class OpenApiTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    @TempDir
    private Path directory;

    @SuppressWarnings("unchecked")
    private static Map<String, Object> in(Map<String, Object> document, String... path) {
        Map<String, Object> at = document;
        for (String step : path) {
            assertThat(at).containsKey(step);
            at = (Map<String, Object>) at.get(step);
        }
        return at;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> document() throws IOException {
        try (InputStream file = Files.newInputStream(Path.of("..", "docs", "openapi.yaml"))) {
            return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromInputStream(file);
        }
    }

    @Test
    void pathsMethodsAndColumnsAreThoseOfTheCode() throws IOException {
        Map<String, Object> document = document();
        try (RunningProxy running =
                RunningProxy.start(directory, "instance_id: one", "encrypt: off, max_connections: 1")) {
            AdminApi api = new AdminApi(
                    () -> new AdminConfig(Optional.empty(), "comporta", Optional.empty(), AdminConfig.LivePage.OFF),
                    running.instance.console(),
                    "one",
                    new EventLog(),
                    new BackgroundWork());
            assertThat(methods(document)).isEqualTo(new TreeMap<>(api.methods()));

            for (View view : running.instance.console().catalog().shown().values()) {
                String name = view.shownAs().toLowerCase(Locale.ROOT);
                Map<String, Object> columns =
                        in(document, "components", "schemas", name, "properties", "rows", "items", "properties");
                List<String> described = new ArrayList<>();
                columns.keySet().forEach(column -> described.add(column + " " + type(in(columns, column))));
                assertThat(described)
                        .as(name)
                        .containsExactlyElementsOf(view.columns().stream()
                                .map(column -> column.name() + " " + column.type())
                                .toList());
            }
        }
    }

    private static Map<String, Set<String>> methods(Map<String, Object> document) {
        Map<String, Set<String>> methods = new TreeMap<>();
        in(document, "paths").forEach((path, item) -> {
            Set<String> served = new TreeSet<>();
            ((Map<?, ?>) item).keySet().forEach(key -> {
                if (METHODS.contains(String.valueOf(key))) {
                    served.add(String.valueOf(key).toUpperCase(Locale.ROOT));
                }
            });
            methods.put(path, served);
        });
        return methods;
    }

    private static String type(Map<String, Object> reference) {
        String to = String.valueOf(reference.get("$ref"));
        return to.substring(to.lastIndexOf('/') + 1);
    }

    @Test
    void everyReferenceLeadsSomewhere() throws IOException {
        Map<String, Object> document = document();
        List<String> references = new ArrayList<>();
        collect(document, references);
        assertThat(references).isNotEmpty().allSatisfy(reference -> {
            assertThat(reference).startsWith("#/");
            String[] steps = reference.substring(2).split("/", -1);
            in(document, steps);
        });
    }

    private static void collect(Object at, List<String> references) {
        switch (at) {
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    if ("$ref".equals(key)) {
                        references.add(String.valueOf(value));
                    } else {
                        collect(value, references);
                    }
                });
            case List<?> list -> list.forEach(item -> collect(item, references));
            case null, default -> {}
        }
    }
}

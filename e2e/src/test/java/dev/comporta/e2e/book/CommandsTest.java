package dev.comporta.e2e.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command of README and docs is run as it is written, or has the reason why not above it. */
@Timeout(300)
class CommandsTest {
    private static final Pattern COMMAND = Pattern.compile("\\./comporta ([a-z]+)((?: [^\\s#|)\"]+)*)");
    private static final Pattern OPTION = Pattern.compile("--[a-z-]+");

    /** A page that has commands, but none of the marked kinds, is not read. */
    private static final Set<String> SHELL = Set.of("sh", "bash", "shell", "console");

    @TempDir
    private Path directory;

    private final Map<String, Scene> scenes = new HashMap<>();
    private final Set<String> done = new HashSet<>();

    @AfterEach
    void close() {
        scenes.values().forEach(Scene::close);
    }

    private Scene scene(String name) throws IOException {
        Scene scene = scenes.get(name);
        if (scene == null) {
            scene = Scene.open(directory.resolve(name));
            scenes.put(name, scene);
            if (name.equals("trial")) {
                scene.startServer();
            }
        }
        return scene;
    }

    @Test
    void everyCommandRuns() throws IOException {
        for (Page page : Page.all()) {
            for (Page.Block block : page.blocks()) {
                if (SHELL.contains(block.language()) && block.marker() instanceof Marker.None) {
                    throw new AssertionError(block + ": say how it is run, or <!-- not run: why -->");
                }
                perform(block);
            }
        }
        assertThat(scenes).containsOnlyKeys("demo", "trial");
    }

    /** What several pages say alike is done once. */
    private void perform(Page.Block block) throws IOException {
        switch (block.marker()) {
            case Marker.Run(String scene, String shows) -> {
                if (done.add(scene + block.text())) {
                    assertThat(scene(scene).run(block.text())).as(block.toString()).contains(shows);
                }
            }
            case Marker.Starts(String scene, String shows) -> {
                if (done.add(scene + block.text())) {
                    scene(scene).start(block.text(), shows);
                }
            }
            case Marker.Saved(String name, String scene) -> scene(scene).save(name, block.text());
            case Marker.Console(String scene) -> {
                scene(scene).save("console.sql", block.text());
                assertThat(scene(scene).run(ASK_CONSOLE)).as(block.toString()).contains("\"results\"");
            }
            case Marker.InBucket _, Marker.NotRun _, Marker.None _ -> {}
        }
    }

    /** As {@code ./comporta admin} does, in a fraction of its time. */
    private static final String ASK_CONSOLE = """
            python3 -c 'import json, sys; print(json.dumps({"sql": sys.stdin.read()}))' <console.sql |
                curl -s -H "Authorization: Bearer $(cat admin.token)" -H 'Content-Type: application/json' \\
                    -d @- localhost:8080/api/v1/sql
            """;

    @Test
    void everyCommandThatIsNamedExistsAndHasItsOptions() throws IOException {
        List<MatchResult> named = new ArrayList<>();
        for (Page page : Page.all()) {
            Stream.concat(page.code().stream(), page.blocks().stream().map(Page.Block::text))
                    .forEach(text -> COMMAND.matcher(text).results().forEach(named::add));
        }
        assertThat(named).hasSizeGreaterThan(50);
        Scene scene = scene("help");
        String usage = scene.run("./comporta --help");
        Map<String, String> helps = new HashMap<>();
        for (MatchResult command : named) {
            String word = command.group(1);
            assertThat(usage).containsPattern("(?m)^  " + word + " ");
            List<String> options = OPTION.matcher(command.group(2)).results()
                    .map(MatchResult::group)
                    .toList();
            if (word.equals("bench") && !command.group(2).isEmpty()) {
                assertThat(usage).containsPattern("Measure:[^.]*\\b" + command.group(2).strip().split(" ")[0] + "\\b");
            }
            for (String option : options) {
                String of = word.equals("bench") ? "bench simulate" : word;
                if (!helps.containsKey(of)) {
                    helps.put(of, scene.run("./comporta " + of + " --help"));
                }
                assertThat(helps.get(of)).as(command.group()).contains(option);
            }
        }
    }
}

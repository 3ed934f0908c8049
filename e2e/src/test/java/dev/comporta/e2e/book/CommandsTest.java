package dev.comporta.e2e.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command of README and docs is run as it is written, or has the reason why not above it. */
@Timeout(480)
class CommandsTest {
    private static final Pattern COMMAND = Pattern.compile("\\./comporta ([a-z]+)((?: [^\\s#|)\"]+)*)");
    private static final Pattern OPTION = Pattern.compile("--[a-z-]+");

    private static final Set<String> SHELL = Set.of("sh", "bash", "shell", "console");

    @TempDir
    private Path directory;

    @Test
    void everyCommandRuns() throws Exception {
        Map<String, List<Page.Block>> scenes = new TreeMap<>();
        for (Page page : Page.all()) {
            for (Page.Block block : page.blocks()) {
                if (SHELL.contains(block.language()) && block.marker() instanceof Marker.None) {
                    throw new AssertionError(block + ": say how it is run, or <!-- not run: why -->");
                }
                sceneOf(block.marker())
                        .ifPresent(scene -> scenes.computeIfAbsent(scene, _ -> new ArrayList<>())
                                .add(block));
            }
        }
        assertThat(scenes).containsOnlyKeys("demo", "trial");
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> played = new ArrayList<>();
            scenes.forEach((scene, blocks) -> played.add(each.submit(() -> play(scene, blocks))));
            for (Future<?> one : played) {
                one.get();
            }
        }
    }

    private static Optional<String> sceneOf(Marker marker) {
        return switch (marker) {
            case Marker.Run(String scene, String _) -> Optional.of(scene);
            case Marker.Starts(String scene, String _) -> Optional.of(scene);
            case Marker.Saved(String _, String scene) -> Optional.of(scene);
            case Marker.Console(String scene) -> Optional.of(scene);
            case Marker.InBucket _, Marker.NotRun _, Marker.None _ -> Optional.empty();
        };
    }

    /** What several pages say alike is done once. */
    private @Nullable Void play(String name, List<Page.Block> blocks) throws IOException {
        Set<String> done = new HashSet<>();
        try (Scene scene = Scene.open(directory.resolve(name))) {
            if (name.equals("trial")) {
                scene.startServer();
            }
            for (Page.Block block : blocks) {
                if (done.add(block.text())) {
                    try {
                        perform(scene, block);
                    } catch (AssertionError e) {
                        throw new AssertionError(block + ": " + e.getMessage(), e);
                    }
                }
            }
        }
        return null;
    }

    private static void perform(Scene scene, Page.Block block) throws IOException {
        switch (block.marker()) {
            case Marker.Run(String _, String shows) ->
                assertThat(scene.run(block.text())).contains(shows);
            case Marker.Starts(String _, String shows) -> scene.start(block.text(), shows);
            case Marker.Saved(String name, String _) -> scene.save(name, block.text());
            case Marker.Console _ -> {
                scene.save("console.sql", block.text());
                assertThat(scene.run(ASK_CONSOLE)).contains("\"results\"");
            }
            case Marker.InBucket _, Marker.NotRun _, Marker.None _ -> throw new AssertionError(block);
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
        try (Scene scene = Scene.open(directory.resolve("help"))) {
            check(named, scene);
        }
    }

    private static void check(List<MatchResult> named, Scene scene) throws IOException {
        String usage = scene.run("./comporta --help");
        Map<String, String> helps = new HashMap<>();
        for (MatchResult command : named) {
            String word = command.group(1);
            assertThat(usage).containsPattern("(?m)^  " + word + " ");
            List<String> options = OPTION.matcher(command.group(2))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            if (word.equals("bench") && !command.group(2).isEmpty()) {
                assertThat(usage)
                        .containsPattern(
                                "Measure:[^.]*\\b" + command.group(2).strip().split(" ")[0] + "\\b");
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

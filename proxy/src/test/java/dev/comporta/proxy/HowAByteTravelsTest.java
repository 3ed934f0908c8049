package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that follows one query names the classes on its way. */
class HowAByteTravelsTest {
    private static final Path PAGE = Path.of("../docs/how-a-byte-travels.md");
    private static final Path SOURCES = Path.of("src/main/java/dev/comporta/proxy");

    /** All but those that look on: counters and snapshots in watch, and the console. */
    private static final Set<String> ROOMS = Set.of(
            "listen", "origin", "login", "admit", "loop", "names", "session", "prepared", "relay", "line", "dedicated");

    /**
     * The folders of other modules that a request and its response pass through, without what lies below them; and the
     * classes there that are for other ways: messages that are read or written whole, by the stand-in, logins and the console.
     */
    private static final Set<Path> FOLDERS = Set.of(
            Path.of("../pool/src/main/java/dev/comporta/pool"),
            Path.of("../pool/src/main/java/dev/comporta/pool/run"),
            Path.of("../tds/src/main/java/dev/comporta/tds/packet"),
            Path.of("../tds/src/main/java/dev/comporta/tds/request"),
            Path.of("../tds/src/main/java/dev/comporta/tds/sql"),
            Path.of("../tds/src/main/java/dev/comporta/tds/token/walk"));

    private static final Set<String> WHOLE_MESSAGES = Set.of(
            "MessageAssembler",
            "MessageWriter",
            "PacketSink",
            "Attention",
            "BulkLoadReader",
            "RpcCall",
            "RpcParameter",
            "RpcRequest",
            "SqlBatch");

    /** `Name`, `room/Name`, `room/inner/Name` or `Name.method`: group 1 is the room, group 2 the class. */
    private static final Pattern NAMED = Pattern.compile("`(?:([\\w/]+)/)?([A-Z][a-z]\\w+)(?:\\.\\w+)?`");

    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");

    @Test
    void everyClassThatThePageNamesExists() throws IOException {
        Set<String> inRooms = classesBelow(SOURCES);
        Set<String> everywhere = declaredInAnyModule();
        for (MatchResult named : named()) {
            if (named.group(1) == null) {
                assertThat(everywhere).contains(named.group(2));
            } else {
                assertThat(inRooms).contains(named.group(1) + "/" + named.group(2));
            }
        }
    }

    @Test
    void everyClassOnTheWayIsNamed() throws IOException {
        Set<String> named = named().stream().map(name -> name.group(2)).collect(Collectors.toSet());
        for (String room : ROOMS) {
            Set<String> classes = classesBelow(SOURCES.resolve(room)).stream()
                    .map(name -> name.substring(name.lastIndexOf('/') + 1))
                    .collect(Collectors.toSet());
            assertThat(classes).isNotEmpty();
            assertThat(named).containsAll(classes);
        }
    }

    @Test
    void everyClassOfThePoolAndOfTheProtocolOnTheWayIsNamed() throws IOException {
        Set<String> named = named().stream().map(name -> name.group(2)).collect(Collectors.toSet());
        for (Path folder : FOLDERS) {
            Set<String> classes = classesBelow(folder);
            classes.removeIf(name -> name.contains("/") || WHOLE_MESSAGES.contains(name));
            assertThat(classes).isNotEmpty();
            assertThat(named).containsAll(classes);
        }
    }

    private static Set<MatchResult> named() throws IOException {
        return NAMED.matcher(Files.readString(PAGE)).results().collect(Collectors.toSet());
    }

    /** As room/Name. */
    private static Set<String> classesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> folder.relativize(file).toString().replace(".java", ""))
                    .filter(name -> !name.endsWith("package-info"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> declaredInAnyModule() throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.find(
                Path.of(".."), 20, (file, _) -> file.toString().matches("\\.\\./[\\w-]+/src/main/java/.*\\.java"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                DECLARED.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
            }
        }
        return names;
    }
}

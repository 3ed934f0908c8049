package dev.comporta.ops.config.yaml;

import dev.comporta.ops.config.value.BadValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** A YAML file as nodes that know their lines. Relative paths in it start at its own directory. */
public final class YamlFile {
    // Far larger than a file of thousands of buckets.
    private static final int LARGEST = 64 << 20;

    /** The place of values that an edit has brought. */
    public static final Location EDITED = new Location("console", 1, 1);

    private final String name;
    private final Path directory;
    private final String text;
    private final Substitution substitution;
    private final List<Edit> edits;

    private YamlFile(String name, Path directory, String text, Environment environment) {
        this(name, directory, text, new Substitution(environment, directory), List.of());
    }

    private YamlFile(String name, Path directory, String text, Substitution substitution, List<Edit> edits) {
        this.name = name;
        this.directory = directory;
        this.text = text;
        this.substitution = substitution;
        this.edits = List.copyOf(edits);
    }

    /** The file with these changes. */
    public YamlFile edited(List<Edit> by) {
        return new YamlFile(name, directory, text, substitution, by);
    }

    public static YamlFile of(String name, Path directory, String text, Environment environment) {
        return new YamlFile(name, directory, text, environment);
    }

    /** Reports a file that can't be read as a problem, and reads it as empty. */
    public static YamlFile read(Path path, Environment environment, Findings findings) {
        Path parent = path.toAbsolutePath().getParent();
        Path directory = parent == null ? Path.of("/") : parent;
        String text = "";
        try {
            text = Files.readString(path);
        } catch (NoSuchFileException missing) {
            findings.error(start(path), "", "There is no such file.", "Check the path.");
        } catch (IOException unreadable) {
            findings.error(
                    start(path),
                    "",
                    "The file can't be read (" + unreadable.getClass().getSimpleName() + ").",
                    "It must be UTF-8 text that this user may read.");
        }
        return new YamlFile(path.toString(), directory, text, environment);
    }

    private static Location start(Path path) {
        return new Location(path.toString(), 1, 1);
    }

    public Section root(Schema schema, Findings findings) {
        Location top = new Location(name, 1, 1);
        Optional<Node> document = compose(findings);
        if (!edits.isEmpty()) {
            document = Optional.of(NodeEdits.apply(document, schema, edits));
        }
        if (document.isEmpty() || Section.isNull(document.get())) {
            return Section.empty(schema, "", top, this, findings, null);
        }
        if (document.get() instanceof MappingNode mapping) {
            return Section.of(mapping, schema, "", top, this, findings, null);
        }
        findings.error(
                top,
                "",
                "The file is not made of 'key: value' lines.",
                "Begin it with one of: " + String.join(", ", schema.names()) + ".");
        return Section.empty(schema, "", top, this, findings, null);
    }

    private Optional<Node> compose(Findings findings) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                .setCodePointLimit(LARGEST)
                .setAllowDuplicateKeys(true)
                .build();
        try {
            return new Compose(settings).composeString(text);
        } catch (MarkedYamlEngineException malformed) {
            String what = malformed.getProblem();
            findings.error(
                    locate(malformed.getProblemMark()),
                    "",
                    "This is not valid YAML: " + (what == null ? "unreadable" : what) + ".",
                    "Check the indentation, colons and quotes here and in the line above.");
        } catch (YamlEngineException malformed) {
            findings.error(
                    new Location(name, 1, 1),
                    "",
                    "This is not valid YAML: " + malformed.getMessage() + ".",
                    "Check that the file is plain UTF-8 text.");
        }
        return Optional.empty();
    }

    Location locate(Node node) {
        // A node that an edit has brought has no line.
        return node.getStartMark().isEmpty() ? EDITED : locate(node.getStartMark());
    }

    private Location locate(Optional<Mark> mark) {
        return mark.map(at -> new Location(name, at.getLine() + 1, at.getColumn() + 1))
                .orElse(new Location(name, 1, 1));
    }

    String substitute(String scalar) throws BadValue {
        return substitution.apply(scalar);
    }

    /** A path as written in this file. */
    public Path resolve(Path written) {
        return directory.resolve(written);
    }
}

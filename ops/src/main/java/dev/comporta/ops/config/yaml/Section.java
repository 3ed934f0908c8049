package dev.comporta.ops.config.yaml;

import dev.comporta.console.names.NearestName;
import dev.comporta.ops.config.value.BadValue;
import dev.comporta.ops.config.value.ValueType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * One section of a file while it is read. A bad value is reported and replaced by a placeholder, so that one reading finds
 * all errors; the caller discards the result if there were any.
 */
public final class Section {
    private final Schema schema;
    private final String path;
    private final Location where;
    private final YamlFile file;
    private final Findings findings;
    private final @Nullable Section defaults;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Set<String> broken = new HashSet<>();

    private Section(
            Schema schema, String path, Location where, YamlFile file, Findings findings, @Nullable Section defaults) {
        this.schema = schema;
        this.path = path;
        this.where = where;
        this.file = file;
        this.findings = findings;
        this.defaults = defaults;
    }

    static Section empty(
            Schema schema, String path, Location where, YamlFile file, Findings findings, @Nullable Section defaults) {
        return new Section(schema, path, where, file, findings, defaults);
    }

    static Section of(
            MappingNode mapping,
            Schema schema,
            String path,
            Location where,
            YamlFile file,
            Findings findings,
            @Nullable Section defaults) {
        Section section = new Section(schema, path, where, file, findings, defaults);
        mapping.getValue().forEach(section::admit);
        return section;
    }

    private void admit(NodeTuple tuple) {
        Location at = file.locate(tuple.getKeyNode());
        if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
            findings.error(at, path, "A key must be a plain word.", "Write 'key: value'.");
            return;
        }
        String name = scalar.getValue();
        if (schema.entry(name).isEmpty()) {
            findings.error(at, pathOf(name), "There is no such key.", adviceForUnknown(name));
        } else if (values.containsKey(name)) {
            Location first = file.locate(values.get(name));
            findings.error(
                    at, pathOf(name), "The key is given twice; first in line " + first.line() + ".", "Remove one.");
        } else if (!isNull(tuple.getValueNode())) {
            values.put(name, tuple.getValueNode());
        }
    }

    private String adviceForUnknown(String name) {
        List<String> names = schema.names();
        return NearestName.among(names, name)
                .map(nearest -> "Did you mean '" + nearest + "'?")
                .orElse("Known here: " + String.join(", ", names) + ".");
    }

    static boolean isNull(Node node) {
        return node instanceof ScalarNode scalar
                && scalar.isPlain()
                && (scalar.getValue().isEmpty()
                        || scalar.getValue().equals("~")
                        || scalar.getValue().equals("null"));
    }

    public String path() {
        return path;
    }

    public Location where() {
        return where;
    }

    public Path resolve(Path written) {
        return file.resolve(written);
    }

    /** The value in the file, or the key's default. */
    public <T> T get(Key<T> key) {
        T value = find(key);
        if (value != null) {
            return value;
        }
        return switch (key.absence()) {
            case Absence.Default(String text) -> defaultOf(key, text);
            case Absence.Required() -> missing(key);
            case Absence.Derived(String rule) ->
                throw new IllegalArgumentException(key.name() + " has no default of its own: " + rule);
        };
    }

    /** The value in the file, or {@code otherwise}, which another setting gives. */
    public <T> T get(Key<T> key, T otherwise) {
        T value = find(key);
        if (value != null) {
            return value;
        }
        findings.note(pathOf(key.name()), key.type().show(otherwise), "default");
        return otherwise;
    }

    /** The value in the file; null when there is none, or a bad one. */
    public <T> @Nullable T find(Key<T> key) {
        Section holder = values.containsKey(key.name()) || defaults == null ? this : defaults;
        Node node = holder.values.get(key.name());
        if (node == null) {
            return null;
        }
        T value = holder.parse(node, key.name(), key.type());
        if (value == null) {
            broken.add(key.name());
        } else {
            findings.note(pathOf(key.name()), key.type().show(value), origin(node));
        }
        return value;
    }

    private <T> T defaultOf(Key<T> key, String text) {
        try {
            T value = key.type().parse(text);
            findings.note(pathOf(key.name()), key.type().show(value), "default");
            return value;
        } catch (BadValue impossible) {
            throw new IllegalStateException("the default of " + key.name() + " is not valid", impossible);
        }
    }

    private <T> T missing(Key<T> key) {
        if (broken.add(key.name())) {
            findings.error(
                    where,
                    pathOf(key.name()),
                    "The key is missing.",
                    "Add '" + key.name() + ":' with " + key.type().expectation() + ".");
        }
        return key.type().placeholder();
    }

    private <T> @Nullable T parse(Node node, String name, ValueType<T> type) {
        if (!(node instanceof ScalarNode scalar)) {
            fail(
                    node,
                    name,
                    "This must be a single value, not a " + shape(node) + ".",
                    "Write " + type.expectation() + ".");
            return null;
        }
        String written = scalar.getValue();
        try {
            return type.parse(file.substitute(written));
        } catch (BadValue bad) {
            fail(node, name, subject(written, type) + " " + bad.what() + ".", bad.advice());
            return null;
        }
    }

    // A value from a variable or a file may be a secret in the wrong place: name its source, don't show it.
    private static String subject(String written, ValueType<?> type) {
        if (type.secret()) {
            return "The value";
        }
        return (Substitution.isIn(written) ? "The value of '" : "'") + written + "'";
    }

    private void fail(Node node, String name, String what, String advice) {
        broken.add(name);
        findings.error(file.locate(node), pathOf(name), what, advice);
    }

    private static String shape(Node node) {
        return node instanceof MappingNode ? "section" : node instanceof SequenceNode ? "list" : "single value";
    }

    /** Whether the key is present in this section, or in the defaults that it falls back on. */
    public boolean has(Entry entry) {
        return values.containsKey(entry.name()) || (defaults != null && defaults.has(entry));
    }

    /** Whether the value is plain text, neither taken from a variable nor from a file. */
    public boolean isLiteral(Key<?> key) {
        Node node = values.get(key.name());
        if (node == null) {
            return defaults != null && defaults.isLiteral(key);
        }
        return node instanceof ScalarNode scalar && !Substitution.isIn(scalar.getValue());
    }

    /** An absent section is read as an empty one. */
    public Section child(SectionKey key) {
        Section inherited = defaults == null ? null : defaults.child(key);
        Node node = values.get(key.name());
        if (node instanceof MappingNode mapping) {
            return of(mapping, key.schema(), pathOf(key.name()), file.locate(node), file, findings, inherited);
        }
        if (node != null) {
            fail(
                    node,
                    key.name(),
                    "This must be a section, not a " + shape(node) + ".",
                    "Put keys below it: " + String.join(", ", key.schema().names()) + ".");
        }
        return empty(key.schema(), pathOf(key.name()), where, file, findings, inherited);
    }

    public List<Section> children(SectionsKey key, @Nullable Section inherited) {
        Node node = values.get(key.name());
        if (node == null) {
            return defaults == null ? List.of() : defaults.children(key, inherited);
        }
        if (!(node instanceof SequenceNode sequence)) {
            fail(node, key.name(), "This must be a list, not a " + shape(node) + ".", "Begin each item with '- '.");
            return List.of();
        }
        List<Section> children = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            String here = pathOf(key.name()) + "[" + label(item, key.label(), children.size() + 1) + "]";
            if (item instanceof MappingNode mapping) {
                children.add(of(mapping, key.schema(), here, file.locate(item), file, findings, inherited));
            } else {
                findings.error(
                        file.locate(item),
                        here,
                        "This must be a section, not a " + shape(item) + ".",
                        "Write '- " + key.label() + ": …' and the other keys below it.");
            }
        }
        return List.copyOf(children);
    }

    private static String label(Node item, String labelKey, int number) {
        if (item instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode name
                        && name.getValue().equals(labelKey)
                        && tuple.getValueNode() instanceof ScalarNode value) {
                    return value.getValue();
                }
            }
        }
        return "#" + number;
    }

    public <T> List<T> list(ListKey<T> key) {
        List<T> values = new ArrayList<>();
        for (Item<T> item : items(key)) {
            if (item instanceof Item.Value<T>(T value, Location ignored)) {
                values.add(value);
            }
        }
        return List.copyOf(values);
    }

    /** A list with the place of each item; a list in this section replaces that of the defaults. */
    public <T> List<Item<T>> items(ListKey<T> key) {
        Node node = values.get(key.name());
        if (node == null) {
            return defaults == null ? List.of() : defaults.items(key);
        }
        List<Node> nodes = node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
        List<Item<T>> items = new ArrayList<>();
        for (Node element : nodes) {
            Optional<Item<T>> item = item(element, key);
            item.ifPresent(items::add);
        }
        String shown = items.stream()
                .map(item -> item instanceof Item.Value<T>(T value, Location ignored)
                        ? key.type().show(value)
                        : "{…}")
                .collect(Collectors.joining(", ", "[", "]"));
        findings.note(pathOf(key.name()), shown, origin(node));
        return List.copyOf(items);
    }

    private <T> Optional<Item<T>> item(Node element, ListKey<T> key) {
        if (element instanceof MappingNode mapping && key.group().isPresent()) {
            Section group =
                    of(mapping, key.group().get(), pathOf(key.name()), file.locate(element), file, findings, null);
            return Optional.of(new Item.Group<>(group));
        }
        T value = parse(element, key.name(), key.type());
        return value == null ? Optional.empty() : Optional.of(new Item.Value<>(value, file.locate(element)));
    }

    /**
     * Reads this section into a record. If the record rejects the combination of values, the problem is reported at the keys
     * concerned, and a record of defaults is returned.
     */
    public <T> T make(Function<Section, T> reader) {
        try {
            return reader.apply(this);
        } catch (InvalidSettings invalid) {
            for (InvalidSettings.Contradiction found : invalid.contradictions()) {
                // A bad value has been reported: a contradiction with its replacement is not the user's error.
                if (found.keys().stream().noneMatch(this::isBroken)) {
                    findings.error(
                            firstWritten(found.keys()), pathOf(found.keys().getFirst()), found.what(), found.advice());
                }
            }
            return reader.apply(empty(schema, path, where, file, new Findings(), null));
        }
    }

    // A key with its default value has no line.
    private Location firstWritten(List<String> keys) {
        for (String key : keys) {
            Location at = locate(key);
            if (!at.equals(where)) {
                return at;
            }
        }
        return where;
    }

    private boolean isBroken(String dotted) {
        int dot = dotted.indexOf('.');
        if (dot < 0) {
            return broken.contains(dotted);
        }
        return schema.entry(dotted.substring(0, dot)).orElseThrow() instanceof SectionKey key
                && childWasBroken(key, dotted.substring(dot + 1));
    }

    // Children are read again on each call; reading the key again shows whether it is valid.
    private boolean childWasBroken(SectionKey key, String name) {
        Section child = child(key);
        if (child.schema.entry(name).orElseThrow() instanceof Key<?> scalar && child.has(scalar)) {
            return child.find(scalar) == null;
        }
        return false;
    }

    /** @param name a key in this section, or {@code section.key} below it */
    public void error(String name, String what, String advice) {
        findings.error(locate(name), pathOf(name), what, advice);
    }

    public void warn(String name, String what, String advice) {
        findings.warn(locate(name), pathOf(name), what, advice);
    }

    /** The place of the key in the file; of the section if the key is absent. */
    public Location locate(String dotted) {
        int dot = dotted.indexOf('.');
        if (dot >= 0 && schema.entry(dotted.substring(0, dot)).orElse(null) instanceof SectionKey key) {
            return child(key).locate(dotted.substring(dot + 1));
        }
        Node node = values.get(dotted);
        if (node != null) {
            return file.locate(node);
        }
        return defaults != null && defaults.values.containsKey(dotted) ? defaults.locate(dotted) : where;
    }

    private String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private String origin(Node node) {
        Location at = file.locate(node);
        return at.file() + ":" + at.line();
    }
}

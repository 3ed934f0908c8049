package dev.comporta.ops.config.yaml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Applies edits to the nodes of a file before they are read, so that the same rules check the new values. A key that is not
 * in the schema is written too; the reader reports it as any other unknown key.
 */
record NodeEdits(MappingNode root, Schema schema) {
    static Node apply(Optional<Node> document, Schema schema, List<Edit> edits) {
        if (document.isPresent() && !(document.get() instanceof MappingNode) && !Section.isNull(document.get())) {
            return document.get(); // not a file of keys: the reader reports it
        }
        MappingNode root = document.isPresent() && document.get() instanceof MappingNode written ? written : mapping();
        NodeEdits edited = new NodeEdits(root, schema);
        edits.forEach(edited::apply);
        return root;
    }

    private void apply(Edit edit) {
        switch (edit) {
            case Edit.Put(String path, String value) -> put(root, schema, steps(path), value);
            case Edit.Remove(String path) -> remove(root, schema, steps(path));
            case Edit.Add add -> add(add);
            case Edit.Drop(String list, String label) -> {
                if (find(root, list) instanceof SequenceNode items) {
                    items.getValue().removeIf(item -> isCalled(item, label(list), label));
                }
            }
        }
    }

    private void add(Edit.Add add) {
        SequenceNode items;
        if (find(root, add.list()) instanceof SequenceNode written) {
            items = written;
        } else {
            items = new SequenceNode(Tag.SEQ, new ArrayList<>(), FlowStyle.BLOCK);
            set(root, add.list(), items);
        }
        MappingNode section = mapping();
        set(section, label(add.list()), scalar(add.label()));
        Schema below = schema.entry(add.list()).orElseThrow() instanceof SectionsKey key ? key.schema() : schema;
        add.values().forEach((path, value) -> put(section, below, steps(path), value));
        items.getValue().add(section);
    }

    private static void put(MappingNode from, @Nullable Schema in, List<String> steps, String value) {
        String step = steps.getFirst();
        Entry entry = in == null ? null : in.entry(name(step)).orElse(null);
        if (steps.size() == 1) {
            set(from, step, entry instanceof ListKey<?> ? list(value) : scalar(value));
            return;
        }
        MappingNode below = step(from, entry, step);
        if (below == null) {
            below = mapping();
            set(from, step, below);
        }
        put(below, below(entry), steps.subList(1, steps.size()), value);
    }

    private static void remove(MappingNode from, @Nullable Schema in, List<String> steps) {
        String step = steps.getFirst();
        if (steps.size() == 1) {
            from.getValue().removeIf(tuple -> isKey(tuple, step));
            return;
        }
        Entry entry = in == null ? null : in.entry(name(step)).orElse(null);
        MappingNode below = step(from, entry, step);
        if (below != null) {
            remove(below, below(entry), steps.subList(1, steps.size()));
        }
    }

    private static @Nullable Schema below(@Nullable Entry entry) {
        return switch (entry) {
            case SectionKey section -> section.schema();
            case SectionsKey sections -> sections.schema();
            case null, default -> null;
        };
    }

    private static @Nullable MappingNode step(MappingNode from, @Nullable Entry entry, String step) {
        Node found = find(from, name(step));
        if (found instanceof SequenceNode items && entry instanceof SectionsKey key) {
            String label = step.substring(name(step).length() + 1, step.length() - 1);
            for (Node item : items.getValue()) {
                if (isCalled(item, key.label(), label)) {
                    return (MappingNode) item;
                }
            }
            return null;
        }
        return found instanceof MappingNode mapping ? mapping : null;
    }

    private String label(String list) {
        return schema.entry(list).orElseThrow() instanceof SectionsKey key ? key.label() : "id";
    }

    private static boolean isCalled(Node item, String labelKey, String label) {
        return item instanceof MappingNode mapping
                && find(mapping, labelKey) instanceof ScalarNode value
                && value.getValue().equals(label);
    }

    /** Parts of a path; dots inside brackets belong to a name. */
    static List<String> steps(String path) {
        return Arrays.asList(path.split("\\.(?![^\\[]*])", -1));
    }

    private static String name(String step) {
        int bracket = step.indexOf('[');
        return bracket < 0 ? step : step.substring(0, bracket);
    }

    private static @Nullable Node find(MappingNode in, String key) {
        for (NodeTuple tuple : in.getValue()) {
            if (isKey(tuple, key)) {
                return tuple.getValueNode();
            }
        }
        return null;
    }

    private static void set(MappingNode in, String key, Node value) {
        in.getValue().removeIf(tuple -> isKey(tuple, key));
        in.getValue().add(new NodeTuple(scalar(key), value));
    }

    private static boolean isKey(NodeTuple tuple, String key) {
        return tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key);
    }

    private static MappingNode mapping() {
        return new MappingNode(Tag.MAP, new ArrayList<>(), FlowStyle.BLOCK);
    }

    private static Node list(String values) {
        List<Node> items = new ArrayList<>();
        for (String value : values.split(",", -1)) {
            if (!value.isBlank()) {
                items.add(scalar(value.strip()));
            }
        }
        return new SequenceNode(Tag.SEQ, items, FlowStyle.FLOW);
    }

    /** Quoted: the text is a value, even if it looks like YAML's null. */
    private static Node scalar(String value) {
        return new ScalarNode(Tag.STR, value, ScalarStyle.DOUBLE_QUOTED);
    }
}

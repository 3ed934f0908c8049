package dev.comporta.ops.config.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The entries that a section may have. */
public record Schema(List<Entry> entries) {
    public static Schema of(Entry... entries) {
        return new Schema(List.of(entries));
    }

    /** Adds entries, where several records share one section. */
    public Schema plus(Schema more) {
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(more.entries);
        return new Schema(List.copyOf(all));
    }

    public Schema plus(Entry... more) {
        return plus(of(more));
    }

    public Schema without(String name) {
        List<Entry> rest = new ArrayList<>(entries);
        rest.removeIf(entry -> entry.name().equals(name));
        return new Schema(List.copyOf(rest));
    }

    public Optional<Entry> entry(String name) {
        return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    List<String> names() {
        return entries.stream().map(Entry::name).toList();
    }

    /** Visits every key and list in this schema and below it with its path; an item of a list of sections is {@code []}. */
    public void visit(String path, BiConsumer<String, Entry> visitor) {
        for (Entry entry : entries) {
            String here = path.isEmpty() ? entry.name() : path + "." + entry.name();
            switch (entry) {
                case Key<?> key -> visitor.accept(here, key);
                case ListKey<?> list -> {
                    visitor.accept(here, list);
                    list.group().ifPresent(group -> group.visit(here + "[]", visitor));
                }
                case SectionKey section -> section.schema().visit(here, visitor);
                case SectionsKey sections -> sections.schema().visit(here + "[]", visitor);
            }
        }
    }
}

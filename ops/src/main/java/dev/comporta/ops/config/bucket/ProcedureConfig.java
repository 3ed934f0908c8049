package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.ValueType;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Item;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.util.List;
import java.util.Optional;

/**
 * Which procedures pin their caller: the text of a call does not show what they change in the session.
 *
 * @param others applies to procedures that no list names
 * @param pin names, in which {@code *} stands for any letters
 * @param share names of procedures that are shared even if {@code pin} names them too
 */
public record ProcedureConfig(ProcedureSharing others, List<String> pin, List<String> share) {
    private static final ListKey<String> PIN = ListKey.of("pin", procedure(), "none");
    private static final ListKey<String> SHARE = ListKey.of("share", procedure(), "none");

    static final ListKey<ProcedureSharing> PROCEDURES = new ListKey<>(
            "procedures", ValueTypes.choice(ProcedureSharing.class), "share", Optional.of(Schema.of(PIN, SHARE)));

    private static final ProcedureConfig SHARE_ALL = new ProcedureConfig(ProcedureSharing.SHARE, List.of(), List.of());

    public ProcedureConfig {
        pin = List.copyOf(pin);
        share = List.copyOf(share);
    }

    static ProcedureConfig read(Section section) {
        List<Item<ProcedureSharing>> items = section.items(PROCEDURES);
        if (items.size() > 1) {
            section.error(
                    PROCEDURES.name(),
                    "There is more than one value.",
                    "Write share, pin, or one section with the lists 'pin' and 'share'.");
            return SHARE_ALL;
        }
        return items.isEmpty()
                ? SHARE_ALL
                : switch (items.getFirst()) {
                    case Item.Value<ProcedureSharing>(ProcedureSharing all, var ignored) ->
                        new ProcedureConfig(all, List.of(), List.of());
                    case Item.Group<ProcedureSharing>(Section lists) -> named(lists);
                };
    }

    private static ProcedureConfig named(Section lists) {
        List<String> pin = lists.list(PIN);
        List<String> share = lists.list(SHARE);
        if (!lists.has(PIN) && !lists.has(SHARE)) {
            lists.error(
                    "pin", "No procedure is named.", "Name procedures under 'pin' or 'share', or write share or pin.");
        }
        for (String name : pin) {
            if (share.stream().anyMatch(name::equalsIgnoreCase)) {
                lists.error("share", "'" + name + "' is under 'pin' too.", "Remove one.");
            }
        }
        ProcedureSharing others = pin.isEmpty() && !share.isEmpty() ? ProcedureSharing.PIN : ProcedureSharing.SHARE;
        return new ProcedureConfig(others, pin, share);
    }

    /** A name of one to three parts: a procedure of a linked server does not change this server's session. */
    private static ValueType<String> procedure() {
        String part = "(\\[[^\\[\\]]+]|[^\\[\\].;\"'\\s]+)";
        return ValueType.matching(
                "a procedure's name, such as dbo.take_lock or billing.*",
                "(" + part + "\\.(" + part + "?\\.)?)?" + part,
                "is not a procedure's name",
                "Write name, schema.name or database.schema.name; * stands for any letters.");
    }
}

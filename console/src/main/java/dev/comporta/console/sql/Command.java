package dev.comporta.console.sql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement that changes something, for logins that may. */
public sealed interface Command extends Statement {
    /**
     * @param bucket null for all buckets
     */
    record Pause(Position at, @Nullable String bucket) implements Command {}

    /**
     * @param bucket null for all buckets
     */
    record Resume(Position at, @Nullable String bucket) implements Command {}

    record Reconnect(Position at, String bucket) implements Command {}

    record Kill(Position at, String client) implements Command {}

    record Reload(Position at) implements Command {}

    record Drain(Position at) implements Command {}

    record SetKey(Position at, String key, String value) implements Command {}

    /**
     * @param wrapper the name behind FOREIGN DATA WRAPPER, null without it
     * @param options in the order in which they were written
     */
    record CreateServer(Position at, String name, @Nullable String wrapper, Map<String, String> options)
            implements Command {}

    record AlterServer(Position at, String name, List<OptionChange> changes) implements Command {}

    record DropServer(Position at, String name) implements Command {}
}

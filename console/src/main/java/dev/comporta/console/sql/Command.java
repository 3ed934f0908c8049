package dev.comporta.console.sql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement that changes something. Only logins with the right to give commands may use it. */
public sealed interface Command extends Statement {
    /** The commands. A host may offer only some of them. */
    enum Kind {
        PAUSE("PAUSE [bucket]", "Lets running work end, and holds new requests in the queue."),
        RESUME("RESUME [bucket]", "Ends a pause."),
        RECONNECT("RECONNECT bucket", "Replaces every server connection as it comes free."),
        KILL("KILL client", "Closes a client's connection; SHOW CLIENTS lists them."),
        RELOAD("RELOAD", "Reads the configuration files again."),
        DRAIN("DRAIN", "Lets clients go at their transaction's end, then ends this instance."),
        SET("SET key = 'value'", "Changes a setting until the next start; SHOW SETTINGS lists them."),
        CREATE_SERVER(
                "CREATE SERVER name [FOREIGN DATA WRAPPER name] OPTIONS (key 'value', …)",
                "Adds a bucket to this instance."),
        ALTER_SERVER("ALTER SERVER name OPTIONS (SET|ADD|DROP key 'value', …)", "Changes a bucket of this instance."),
        DROP_SERVER("DROP SERVER [IF EXISTS] name", "Removes a bucket from this instance."),
        CREATE_USER_MAPPING(
                "CREATE USER MAPPING FOR user|PUBLIC SERVER name OPTIONS (user 'name', password 'password')",
                "Says how a local user logs in at a server."),
        ALTER_USER_MAPPING(
                "ALTER USER MAPPING FOR user|PUBLIC SERVER name OPTIONS (SET|ADD|DROP key 'value', …)",
                "Changes how a local user logs in."),
        DROP_USER_MAPPING(
                "DROP USER MAPPING [IF EXISTS] FOR user|PUBLIC SERVER name", "Forgets how a local user logs in.");

        /** As SHOW HELP lists it. */
        public final String syntax;

        public final String description;

        Kind(String syntax, String description) {
            this.syntax = syntax;
            this.description = description;
        }

        /** As it is typed. */
        public String text() {
            return name().replace('_', ' ');
        }
    }

    default Kind kind() {
        return switch (this) {
            case Pause _ -> Kind.PAUSE;
            case Resume _ -> Kind.RESUME;
            case Reconnect _ -> Kind.RECONNECT;
            case Kill _ -> Kind.KILL;
            case Reload _ -> Kind.RELOAD;
            case Drain _ -> Kind.DRAIN;
            case SetKey _ -> Kind.SET;
            case CreateServer _ -> Kind.CREATE_SERVER;
            case AlterServer _ -> Kind.ALTER_SERVER;
            case DropServer _ -> Kind.DROP_SERVER;
            case CreateUserMapping _ -> Kind.CREATE_USER_MAPPING;
            case AlterUserMapping _ -> Kind.ALTER_USER_MAPPING;
            case DropUserMapping _ -> Kind.DROP_USER_MAPPING;
        };
    }

    /** @param bucket null for all buckets */
    record Pause(Position at, @Nullable String bucket) implements Command {}

    /** @param bucket null for all buckets */
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

    /** @param ifExists a server that does not exist is no error */
    record DropServer(Position at, String name, boolean ifExists) implements Command {
        public DropServer(Position at, String name) {
            this(at, name, false);
        }
    }

    /** Says how a local user logs in at a server. */
    record CreateUserMapping(Position at, MappedUser of, Map<String, String> options) implements Command {}

    record AlterUserMapping(Position at, MappedUser of, List<OptionChange> changes) implements Command {}

    /** @param ifExists a mapping that does not exist is no error */
    record DropUserMapping(Position at, MappedUser of, boolean ifExists) implements Command {}
}

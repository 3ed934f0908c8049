package dev.comporta.console;

import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.MappedUser;
import dev.comporta.console.sql.OptionChange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries out commands. The console has checked that the login may give them; the operator checks that the bucket, client or
 * key exists. Each method returns a sentence that says what was done. They are called on the listener's thread, and may
 * block.
 */
public interface Operator {
    /** The commands of this host. The console refuses the others, and SHOW HELP leaves them out. */
    Set<Command.Kind> offered();

    /**
     * Running work goes on, new requests wait in the queue.
     *
     * @param bucket null for all buckets
     */
    String pause(ConsoleSession by, @Nullable String bucket) throws OperatorException;

    /** @param bucket null for all buckets */
    String resume(ConsoleSession by, @Nullable String bucket) throws OperatorException;

    /** Replaces every server connection as soon as no client uses it. */
    String reconnect(ConsoleSession by, String bucket) throws OperatorException;

    /** @param client as {@code sys.clients} names it */
    default String kill(ConsoleSession by, String client) throws OperatorException {
        throw new UnsupportedOperationException();
    }

    default String reload(ConsoleSession by) throws OperatorException {
        throw new UnsupportedOperationException();
    }

    default String drain(ConsoleSession by) throws OperatorException {
        throw new UnsupportedOperationException();
    }

    default String set(ConsoleSession by, String key, String value) throws OperatorException {
        throw new UnsupportedOperationException();
    }

    /**
     * @param wrapper the name behind FOREIGN DATA WRAPPER, null without it
     * @param options in the order in which they were written
     */
    String createServer(ConsoleSession by, String name, @Nullable String wrapper, Map<String, String> options)
            throws OperatorException;

    String alterServer(ConsoleSession by, String name, List<OptionChange> changes) throws OperatorException;

    /** @param ifExists a server that does not exist is no error */
    String dropServer(ConsoleSession by, String name, boolean ifExists) throws OperatorException;

    /** @param options in the order in which they were written */
    default String createUserMapping(ConsoleSession by, MappedUser of, Map<String, String> options)
            throws OperatorException {
        throw new UnsupportedOperationException();
    }

    default String alterUserMapping(ConsoleSession by, MappedUser of, List<OptionChange> changes)
            throws OperatorException {
        throw new UnsupportedOperationException();
    }

    /** @param ifExists a mapping that does not exist is no error */
    default String dropUserMapping(ConsoleSession by, MappedUser of, boolean ifExists) throws OperatorException {
        throw new UnsupportedOperationException();
    }
}

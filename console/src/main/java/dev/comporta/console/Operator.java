package dev.comporta.console;

import dev.comporta.console.sql.OptionChange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out commands. The console has checked that the login may give them; what buckets, clients and keys exist is the
 * operator's to know. Each method returns a sentence that says what was done. They are called on the listener's thread, and
 * may block.
 */
public interface Operator {
    /**
     * Running work goes on, new requests wait in the queue.
     *
     * @param bucket null for all buckets
     */
    String pause(ConsoleSession by, @Nullable String bucket) throws OperatorException;

    /**
     * @param bucket null for all buckets
     */
    String resume(ConsoleSession by, @Nullable String bucket) throws OperatorException;

    /** Every server connection is replaced as it comes free. */
    String reconnect(ConsoleSession by, String bucket) throws OperatorException;

    /**
     * @param client as {@code sys.clients} names it
     */
    String kill(ConsoleSession by, String client) throws OperatorException;

    String reload(ConsoleSession by) throws OperatorException;

    String drain(ConsoleSession by) throws OperatorException;

    String set(ConsoleSession by, String key, String value) throws OperatorException;

    /**
     * @param wrapper the name behind FOREIGN DATA WRAPPER, null without it
     * @param options in the order in which they were written
     */
    String createServer(ConsoleSession by, String name, @Nullable String wrapper, Map<String, String> options)
            throws OperatorException;

    String alterServer(ConsoleSession by, String name, List<OptionChange> changes) throws OperatorException;

    String dropServer(ConsoleSession by, String name) throws OperatorException;
}

package dev.comporta.e2e.fleet;

import java.util.List;

/**
 * Clients that work until they are told to stop. Each of their transactions adds two rows to the table {@code work}: the
 * client, a number that counts up, and 1 or 2.
 *
 * <p>They are honest about failures. A connection that is found closed before the first statement of a transaction was sent
 * may be replaced, by whatever their pool or their driver does to find out. Any error after that is a failed transaction.
 */
interface WorkingClients extends AutoCloseable {
    /**
     * @param replaced how often it needed another connection than its first
     * @param failures of its transactions
     */
    record Tally(String client, int committed, int replaced, List<String> failures) {}

    /** Waits until all have ended their last transaction. */
    List<Tally> stop() throws Exception;

    @Override
    void close();
}

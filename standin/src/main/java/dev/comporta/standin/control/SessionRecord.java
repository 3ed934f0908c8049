package dev.comporta.standin.control;

import java.util.concurrent.atomic.LongAdder;

/** What one session has been asked so far. Keeps its word when the session is over. Thread-safe. */
public final class SessionRecord {
    private final int spid;
    private final int clientPort;
    private final LongAdder messages = new LongAdder();
    private final LongAdder messagesOutsideTransactions = new LongAdder();

    private volatile boolean busyOutsideTransaction;

    public SessionRecord(int spid, int clientPort) {
        this.spid = spid;
        this.clientPort = clientPort;
    }

    /** Called before each message is carried out. */
    public void asked(boolean inTransaction) {
        messages.increment();
        if (!inTransaction) {
            messagesOutsideTransactions.increment();
            busyOutsideTransaction = true;
        }
    }

    /** Called after each message was carried out. */
    public void answered() {
        busyOutsideTransaction = false;
    }

    public int spid() {
        return spid;
    }

    /** The other end of its connection, by which its process can be told. */
    public int clientPort() {
        return clientPort;
    }

    public long messages() {
        return messages.sum();
    }

    /** Those for which a pool is free to give the session to another client. */
    public long messagesOutsideTransactions() {
        return messagesOutsideTransactions.sum();
    }

    /** Whether a message is being carried out that no transaction bound to this session. */
    public boolean isBusyOutsideTransaction() {
        return busyOutsideTransaction;
    }

    @Override
    public String toString() {
        return "session " + spid + " from port " + clientPort + ": " + messages + " messages, "
                + messagesOutsideTransactions + " of them outside transactions";
    }
}

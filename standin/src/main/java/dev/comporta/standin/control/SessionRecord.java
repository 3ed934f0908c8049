package dev.comporta.standin.control;

import java.util.concurrent.atomic.LongAdder;

/** Counts the messages of one session. Stays readable after the session has ended. Thread-safe. */
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

    /** Called before each message is executed. */
    public void asked(boolean inTransaction) {
        messages.increment();
        if (!inTransaction) {
            messagesOutsideTransactions.increment();
            busyOutsideTransaction = true;
        }
    }

    /** Called after each message was executed. */
    public void answered() {
        busyOutsideTransaction = false;
    }

    public int spid() {
        return spid;
    }

    /** The client's port, by which a test identifies the client's process. */
    public int clientPort() {
        return clientPort;
    }

    public long messages() {
        return messages.sum();
    }

    /** Messages after which a pool may give the session to another client. */
    public long messagesOutsideTransactions() {
        return messagesOutsideTransactions.sum();
    }

    /** Whether a message is being executed that came outside of any transaction. */
    public boolean isBusyOutsideTransaction() {
        return busyOutsideTransaction;
    }

    @Override
    public String toString() {
        return "session " + spid + " from port " + clientPort + ": " + messages + " messages, "
                + messagesOutsideTransactions + " of them outside transactions";
    }
}

package dev.comporta.proxy.relay.response;

import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;

/** Whether a transaction is open in a server's session, as far as the server has reported it or was asked. Does no I/O. */
public final class TransactionTracker {
    /** Opens no transaction, not even an implicit one: it reads no table. */
    public static final String PROBE = "SELECT @@TRANCOUNT";

    /** Followed by a probe for what remains. */
    public static final String ROLL_BACK = "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; ";

    private static final long NONE = 0;
    /** In place of the descriptor of a transaction, if the server has not sent it. */
    private static final long UNKNOWN = -1;

    /** The server's descriptor of the open transaction. */
    private long transaction = NONE;
    /** Whether a transaction should have ended, without proof. */
    private boolean doubted;

    // The response that is being read.
    private boolean openAtItsBeginning;
    private long descriptorAtItsBeginning;
    /** Whether the first transaction that ended was committed. */
    private boolean firstCommitted;

    private int begun;
    private int committed;
    private int rolledBack;

    void beginResponse() {
        openAtItsBeginning = isOpen() || doubted;
        descriptorAtItsBeginning = descriptor();
        firstCommitted = false;
        begun = 0;
        committed = 0;
        rolledBack = 0;
    }

    void began(long descriptor) {
        joined(descriptor);
        begun++;
    }

    /** A request has run that does nothing but begin a transaction, and the server does not report them. */
    public void begunUnreported() {
        if (!isOpen()) {
            transaction = UNKNOWN;
        }
    }

    /** The session takes part in a transaction that began elsewhere. */
    void joined(long descriptor) {
        transaction = descriptor == NONE ? UNKNOWN : descriptor;
    }

    void promoted() {
        joined(transaction);
    }

    void committed() {
        firstCommitted |= committed + rolledBack == 0;
        committed++;
        over();
    }

    void rolledBack() {
        rolledBack++;
        over();
    }

    void over() {
        transaction = NONE;
    }

    /** The session was reset: SQL Server rolls back without reporting it, and not every server rolls back. */
    public void wasReset() {
        doubted |= isOpen();
        over();
    }

    /** The response will not show which transactions have begun or ended. */
    public void doubt() {
        doubted = true;
    }

    /**
     * {@link #PROBE} was answered.
     *
     * @param count the number of open transactions; {@link IntegerAnswer#NONE} for no valid answer, so that doubts remain
     */
    public void probed(long count) {
        doubted = count == IntegerAnswer.NONE;
        if (count == 0) {
            over();
        } else {
            joined(transaction);
        }
    }

    public boolean isOpen() {
        return transaction != NONE;
    }

    public boolean isDoubted() {
        return doubted;
    }

    public boolean isSurelyOver() {
        return !isOpen() && !doubted;
    }

    /** The descriptor for the headers of the proxy's own requests. */
    public long descriptor() {
        return transaction == UNKNOWN ? NONE : transaction;
    }

    /** Writes the response's reports of transactions, for a client that does not get the response. Borrows the buffer. */
    public void retell(TokenWriter tokens, ByteBuf out) {
        long before = descriptorAtItsBeginning;
        long now = descriptor();
        if (before != NONE && now != before && committed + rolledBack > 0) {
            if (firstCommitted) {
                tokens.transactionCommitted(out, before);
            } else {
                tokens.transactionRolledBack(out, before);
            }
        }
        if (now != NONE && now != before) {
            tokens.transactionBegan(out, now);
        }
    }

    /** Whether the response reported that one transaction began and was rolled back, and nothing else. */
    public boolean toldOfOne() {
        return begun == 1 && committed == 0 && rolledBack == 1;
    }

    /** Whether a transaction was open, or may have been, when the request was sent. */
    public boolean wasOpenAtFirst() {
        return openAtItsBeginning;
    }

    /** Whether a transaction was open when the request was sent, is open, or was in between, as far as the server reports. */
    public boolean wasSeen() {
        return openAtItsBeginning || isOpen() || doubted || begun > 0 || committed > 0 || rolledBack > 0;
    }
}

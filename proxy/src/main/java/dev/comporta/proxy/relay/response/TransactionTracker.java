package dev.comporta.proxy.relay.response;

import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;

/** Whether a transaction is open in a server's session, as far as the server has told or was asked. Does no I/O. */
public final class TransactionTracker {
    /** Opens no transaction itself, not even an implicit one: it reads from no table. */
    public static final String PROBE = "SELECT @@TRANCOUNT";

    /** To be followed by a question for what is left. */
    public static final String ROLL_BACK = "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; ";

    private static final long NONE = 0;
    /** Instead of the number of a transaction that the server has not told. */
    private static final long UNKNOWN = -1;

    /** The server's own number of the open transaction. */
    private long transaction = NONE;
    /** Whether one should be over, and nothing proves that it is. */
    private boolean doubted;

    // Of the response that is being read.
    private boolean openAtItsBeginning;
    private long descriptorAtItsBeginning;
    /** Of the transactions that have ended, whether the first was committed. */
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

    /** A request that can do nothing else has run. */
    public void begunWithoutAWord() {
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

    /** The session was reset: SQL Server rolls back, and says nothing of it. Not every server does. */
    public void wasReset() {
        doubted |= isOpen();
        over();
    }

    /** What the response has begun or ended is not going to be known from it. */
    public void doubt() {
        doubted = true;
    }

    /**
     * {@link #PROBE} was answered.
     *
     * @param count of open transactions; {@link IntegerAnswer#NONE} for what was no answer, which leaves everything in doubt
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

    /** What a request of the proxy's own has to name in its headers. */
    public long descriptor() {
        return transaction == UNKNOWN ? NONE : transaction;
    }

    /** Writes what the response has told of transactions, for a client that does not get the response. Borrows the buffer. */
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

    /** Whether the response has told that one transaction began and was rolled back, and of nothing else. */
    public boolean toldOfOne() {
        return begun == 1 && committed == 0 && rolledBack == 1;
    }

    /** Whether one was open, or may have been, when the request was sent. */
    public boolean wasOpenAtFirst() {
        return openAtItsBeginning;
    }

    /** Whether one was open when the request was sent, or is, or was in between, as far as the server tells. */
    public boolean wasSeen() {
        return openAtItsBeginning || isOpen() || doubted || begun > 0 || committed > 0 || rolledBack > 0;
    }
}

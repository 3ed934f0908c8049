package dev.comporta.proxy.relay;

import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.TokenType;
import org.jspecify.annotations.Nullable;

/**
 * What a server's responses mean for pooling: whether a transaction is open, what the present response has changed, and
 * whether it is over. Does no I/O.
 */
final class ResponseTracker implements TokenSink {
    /** Takes the integers that come back: handles of statements and cursors. */
    interface Returned {
        void integer(int ordinal, long value);
    }

    /** DONE's name for a statement that only reads. */
    private static final int SELECT = 0xC1;

    /** Opens no transaction itself, not even an implicit one: it reads from no table. */
    static final String PROBE = "SELECT @@TRANCOUNT";

    /** Instead of the number of a transaction that the server has not told of. */
    private static final long UNKNOWN_TRANSACTION = -1;

    private final Returned returned;

    /** The server's own number of the open transaction; 0 for none. */
    private long transaction;

    private boolean distributed;
    private boolean doubted;

    // Of the response that is being read.
    private boolean beganInTransaction;
    private int errors;
    private int begun;
    private int committed;
    private int rolledBack;
    private boolean didMoreThanSelect;
    private boolean resetAcknowledged;
    private boolean attentionAcknowledged;
    private boolean ended;
    private @Nullable String database;
    private boolean keepsComplaint;
    private @Nullable String complaint;

    ResponseTracker(Returned returned) {
        this.returned = returned;
    }

    /** A request was sent; its response is next. */
    void beginResponse() {
        beganInTransaction = inTransaction() || doubted;
        errors = 0;
        begun = 0;
        committed = 0;
        rolledBack = 0;
        didMoreThanSelect = false;
        resetAcknowledged = false;
        attentionAcknowledged = false;
        ended = false;
        database = null;
        keepsComplaint = false;
        complaint = null;
    }

    /** The response is the proxy's own: what the server finds wrong is to be told on. */
    void keepComplaint() {
        keepsComplaint = true;
    }

    /** The server's first error; empty when there was none. */
    String complaint() {
        return complaint == null ? "" : complaint;
    }

    /** The session was reset: SQL Server rolls back, and says nothing of it. Not every server does. */
    void wasReset() {
        doubted |= inTransaction();
        transaction = 0;
        distributed = false;
    }

    /**
     * {@link #PROBE} was answered.
     *
     * @param count of transactions that are open; {@link IntegerAnswer#NONE} for what was no answer, which leaves everything
     *     in doubt
     */
    void probed(long count) {
        doubted = count == IntegerAnswer.NONE;
        if (count == 0) {
            transaction = 0;
            distributed = false;
        } else if (transaction == 0) {
            transaction = UNKNOWN_TRANSACTION;
        }
    }

    boolean inTransaction() {
        return transaction != 0 || distributed;
    }

    /** Whether a transaction should be over, and nothing proves that it is. */
    boolean isDoubted() {
        return doubted;
    }

    /** What the response has begun or ended is not going to be known from it. */
    void doubt() {
        doubted = true;
    }

    boolean isSurelyOutside() {
        return !inTransaction() && !doubted;
    }

    /** What a request of the proxy's own has to name in its headers. */
    long descriptor() {
        return transaction == UNKNOWN_TRANSACTION ? 0 : transaction;
    }

    int errors() {
        return errors;
    }

    /** Whether the response has told that one transaction began and was rolled back, and of nothing else. */
    boolean toldOfOneTransaction() {
        return begun == 1 && committed == 0 && rolledBack == 1;
    }

    /** Whether a transaction was open when the request was sent, or is, or was in between, as far as the server tells. */
    boolean sawTransaction() {
        return beganInTransaction || inTransaction() || doubted || begun > 0 || committed > 0 || rolledBack > 0;
    }

    /** Whether the server says that it has reset the session. */
    boolean resetIsAcknowledged() {
        return resetAcknowledged;
    }

    /** Whether the response has ended a statement that was no SELECT, as far as the server tells. */
    boolean didMoreThanSelect() {
        return didMoreThanSelect;
    }

    /** The database that the session is in now; null when the response told of none. */
    @Nullable
    String database() {
        return database;
    }

    boolean attentionIsAcknowledged() {
        return attentionAcknowledged;
    }

    /** Whether the message walked last has ended the response. Asking again says no, until the next one. */
    boolean takeEnded() {
        boolean was = ended;
        ended = false;
        return was;
    }

    @Override
    public void transactionBegan(long descriptor) {
        transaction = descriptor == 0 ? UNKNOWN_TRANSACTION : descriptor;
        begun++;
    }

    @Override
    public void transactionCommitted(long descriptor) {
        committed++;
        transactionIsOver();
    }

    @Override
    public void transactionRolledBack(long descriptor) {
        rolledBack++;
        transactionIsOver();
    }

    @Override
    public void transactionDefected(long descriptor) {
        transactionIsOver();
    }

    @Override
    public void transactionEnded(long descriptor) {
        transactionIsOver();
    }

    private void transactionIsOver() {
        transaction = 0;
        distributed = false;
    }

    @Override
    public void resetAcknowledged() {
        resetAcknowledged = true;
    }

    @Override
    public void transactionEnlisted(long descriptor) {
        transaction = descriptor;
        distributed = true;
    }

    @Override
    public void transactionPromoted() {
        distributed = true;
    }

    @Override
    public void databaseChanged(String to, String from) {
        database = to;
    }

    @Override
    public boolean error(int number, int state, int severity) {
        errors++;
        return keepsComplaint && complaint == null;
    }

    @Override
    public void messageText(String text, String server, String procedure, int line) {
        complaint = text;
    }

    @Override
    public void returnInteger(int ordinal, long value, long position, int bytes) {
        returned.integer(ordinal, value);
    }

    @Override
    public void done(int token, int status, int command, long rowCount) {
        // A procedure's own end says nothing of what was done in it.
        didMoreThanSelect |= token != TokenType.DONEPROC && command != SELECT;
    }

    @Override
    public void attentionAcknowledged() {
        attentionAcknowledged = true;
    }

    @Override
    public void endOfResponse() {
        ended = true;
    }
}

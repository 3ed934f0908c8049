package dev.comporta.proxy.relay;

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

    /** An INFO by which the server answers {@link #PROBE}. */
    private static final int PROBE_STATE = 77;

    private static final int RAISERROR_NUMBER = 50000;

    /** DONE's name for a statement that only reads. */
    private static final int SELECT = 0xC1;

    /** Answered with an INFO only where a transaction is open. Opens none itself, not even an implicit one. */
    static final String PROBE = "IF @@TRANCOUNT > 0 RAISERROR(N'in a transaction', 10, " + PROBE_STATE + ")";

    /** Instead of the number of a transaction that the server has not told of. */
    private static final long UNKNOWN_TRANSACTION = -1;

    private final Returned returned;

    /** The server's own number of the open transaction; 0 for none. */
    private long transaction;

    private boolean distributed;
    private boolean doubted;

    // Of the response that is being read.
    private int errors;
    private boolean toldOfTransaction;
    private boolean didMoreThanSelect;
    private boolean probeAnswered;
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
        errors = 0;
        toldOfTransaction = false;
        didMoreThanSelect = false;
        probeAnswered = false;
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

    /** {@link #PROBE} was answered. */
    void probed() {
        doubted = errors > 0;
        transaction = probeAnswered ? UNKNOWN_TRANSACTION : 0;
    }

    boolean inTransaction() {
        return transaction != 0 || distributed;
    }

    /** Whether a reset should have ended a transaction, and nothing proves that it did. */
    boolean isDoubted() {
        return doubted;
    }

    /** What a request of the proxy's own has to name in its headers. */
    long descriptor() {
        return transaction == UNKNOWN_TRANSACTION ? 0 : transaction;
    }

    int errors() {
        return errors;
    }

    boolean toldOfTransaction() {
        return toldOfTransaction;
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
        transaction = descriptor;
        toldOfTransaction = true;
    }

    @Override
    public void transactionCommitted(long descriptor) {
        transactionIsOver();
    }

    @Override
    public void transactionRolledBack(long descriptor) {
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
        toldOfTransaction = true;
    }

    @Override
    public void transactionEnlisted(long descriptor) {
        transaction = descriptor;
        distributed = true;
        toldOfTransaction = true;
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
    public boolean info(int number, int state, int severity) {
        probeAnswered |= number == RAISERROR_NUMBER && state == PROBE_STATE;
        return false;
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

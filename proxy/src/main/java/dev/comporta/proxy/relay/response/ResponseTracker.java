package dev.comporta.proxy.relay.response;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.token.WireFormat;
import dev.comporta.tds.token.walk.TokenWalker;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a server's packets mean for pooling: how far the response has come, and what it has changed. Confined to its
 * bucket's loop. Does no I/O.
 */
public final class ResponseTracker implements TokenSink {
    enum State {
        /** No request was sent. */
        IDLE,
        RESPONDING,
        /** An attention was sent. Its acknowledgement may come with the response, or in a message of its own after it. */
        CANCELLING,
        /** The attention is acknowledged; the message has not ended. */
        CANCEL_ACKNOWLEDGED,
        /** The tokens can't be parsed: only the end of the message can be found. */
        UNREADABLE,
        UNREADABLE_CANCELLING,
        /** The response is complete: the server owes nothing. */
        ENDED,
        /** The same, and an attention was acknowledged. */
        CANCELLED
    }

    public enum Verdict {
        MORE,
        END,
        /** The server has sent something without a request. */
        UNASKED,
        /** The tokens can't be parsed; {@link #complaint} says why. The response may be relayed unread. */
        UNREADABLE
    }

    /** Receives returned integers: handles of statements and cursors. */
    public interface Returned {
        /** @return the number to put in its place */
        long integer(int ordinal, long value);
    }

    /** DONE's command code for a statement that only reads. */
    private static final int SELECT = 0xC1;

    private final WireFormat format;
    private final Returned returned;
    private final TransactionTracker transaction = new TransactionTracker();
    private final ReturnPatch patch = new ReturnPatch();
    private TokenWalker walker;

    /** Added to the ordinals of output parameters when the request was rewritten; 0 if it was sent as it was. */
    private int ordinalShift;

    private int lastError;
    private int lastSeverity;

    private State state = State.IDLE;
    private int errors;
    private int statementsBesideSelect;
    private long rows;
    private int resetsAcknowledged;
    private @Nullable String database;
    /** The server's first error; empty while there is none, null if it is not recorded. */
    private @Nullable String complaint;

    public ResponseTracker(WireFormat format, Returned returned) {
        this.format = format;
        this.returned = returned;
        walker = new TokenWalker(format, this);
    }

    /** A client's request is being sent; its response is next. */
    public void beginResponse() {
        transaction.beginResponse();
        state = State.RESPONDING;
        errors = 0;
        statementsBesideSelect = 0;
        rows = 0;
        resetsAcknowledged = 0;
        database = null;
        complaint = null;
        ordinalShift = 0;
        lastError = 0;
        patch.reset();
    }

    /** The request was rewritten: its output parameters have other ordinals than the client's. */
    public void shiftOrdinals(int by) {
        ordinalShift = by;
    }

    /** Whether the last packet ends within a number that may have to be replaced: it must be held until the next arrives. */
    public boolean endsWithinReturnedNumber() {
        return !isUnreadable() && walker.endsWithinReturnedNumber();
    }

    /** The number of bytes received of an incomplete token; more than any packet has if that is not known. */
    public long unfinishedBytes() {
        return isUnreadable() ? Long.MAX_VALUE : walker.unfinishedBytes();
    }

    /** The same for the proxy's own request: the server's first error is kept. */
    public void beginOwnResponse() {
        beginResponse();
        complaint = "";
    }

    /** An attention was sent. */
    public void cancel() {
        state = switch (state) {
            case IDLE, RESPONDING, CANCELLING, ENDED, CANCELLED -> State.CANCELLING;
            case CANCEL_ACKNOWLEDGED -> State.CANCEL_ACKNOWLEDGED;
            case UNREADABLE, UNREADABLE_CANCELLING -> State.UNREADABLE_CANCELLING;
        };
    }

    /** Borrows a packet of the server. */
    public Verdict onPacket(ByteBuf packet) {
        return switch (state) {
            case IDLE, ENDED, CANCELLED -> Verdict.UNASKED;
            case RESPONDING, CANCELLING, CANCEL_ACKNOWLEDGED -> whileReadable(packet);
            case UNREADABLE -> endIf(PacketHeader.isEndOfMessage(packet));
            case UNREADABLE_CANCELLING -> endIf(PacketHeader.isEndOfMessage(packet) && BlindEnd.acknowledges(packet));
        };
    }

    private Verdict whileReadable(ByteBuf packet) {
        patch.begin(packet);
        try {
            walker.walk(
                    packet,
                    packet.readerIndex() + PacketHeader.LENGTH,
                    packet.writerIndex(),
                    PacketHeader.isEndOfMessage(packet));
        } catch (ProtocolException broken) {
            state = state == State.RESPONDING ? State.UNREADABLE : State.UNREADABLE_CANCELLING;
            complaint = broken.getMessage();
            walker = new TokenWalker(format, this);
            patch.reset();
            return Verdict.UNREADABLE;
        }
        patch.end(packet, walker.endsWithinReturnedNumber());
        return hasEnded() ? Verdict.END : Verdict.MORE;
    }

    private Verdict endIf(boolean ends) {
        if (!ends) {
            return Verdict.MORE;
        }
        state = State.ENDED;
        return Verdict.END;
    }

    /** Whether the response is complete, and the server owes nothing more. */
    public boolean hasEnded() {
        return state == State.ENDED || state == State.CANCELLED;
    }

    public boolean isCancelling() {
        return switch (state) {
            case CANCELLING, CANCEL_ACKNOWLEDGED, UNREADABLE_CANCELLING -> true;
            case IDLE, RESPONDING, UNREADABLE, ENDED, CANCELLED -> false;
        };
    }

    public boolean isUnreadable() {
        return state == State.UNREADABLE || state == State.UNREADABLE_CANCELLING;
    }

    public boolean attentionIsAcknowledged() {
        return state == State.CANCEL_ACKNOWLEDGED || state == State.CANCELLED;
    }

    public TransactionTracker transaction() {
        return transaction;
    }

    /** The server's first error, or why parsing failed; empty if there was none. */
    public String complaint() {
        return complaint == null ? "" : complaint;
    }

    public int errors() {
        return errors;
    }

    /** Whether the server has acknowledged a reset. */
    public boolean resetIsAcknowledged() {
        return resetsAcknowledged > 0;
    }

    /** Whether a statement other than SELECT has ended, as far as the server reports. */
    public boolean didMoreThanSelect() {
        return statementsBesideSelect > 0;
    }

    /** Rows sent and changed, as the statements' DONE tokens count them. */
    public long rows() {
        return rows;
    }

    /** The session's new database; null if the response reported none. */
    public @Nullable String database() {
        return database;
    }

    // Called by the walker.

    @Override
    public void transactionBegan(long descriptor) {
        transaction.began(descriptor);
    }

    @Override
    public void transactionCommitted(long descriptor) {
        transaction.committed();
    }

    @Override
    public void transactionRolledBack(long descriptor) {
        transaction.rolledBack();
    }

    @Override
    public void transactionDefected(long descriptor) {
        transaction.over();
    }

    @Override
    public void transactionEnded(long descriptor) {
        transaction.over();
    }

    @Override
    public void transactionEnlisted(long descriptor) {
        transaction.joined(descriptor);
    }

    @Override
    public void transactionPromoted() {
        transaction.promoted();
    }

    @Override
    public void resetAcknowledged() {
        resetsAcknowledged++;
    }

    @Override
    public void databaseChanged(String to, String from) {
        database = to;
    }

    @Override
    public boolean error(int number, int severityState, int severity) {
        errors++;
        lastError = number;
        lastSeverity = severity;
        return complaint != null && complaint.isEmpty();
    }

    @Override
    public void messageText(String text, String server, String procedure, int line) {
        complaint = text;
    }

    @Override
    public void returnInteger(int ordinal, long value, long position, int bytes) {
        long replacement = returned.integer(ordinal, value);
        if (replacement != value) {
            patch.write(position, bytes, replacement);
        }
    }

    /** sp_executesql returns the number of an error, where sp_execute returns ten less its severity. */
    @Override
    public void returnStatus(int status, long position) {
        if (ordinalShift != 0 && status != 0 && status == lastError) {
            patch.write(position, Integer.BYTES, 10 - lastSeverity);
        }
    }

    @Override
    public void returnOrdinal(int ordinal, long position) {
        if (ordinalShift != 0) {
            patch.write(position, Short.BYTES, ordinal - ordinalShift);
        }
    }

    @Override
    public void done(int token, int status, int command, long rowCount) {
        // DONEPROC does not say what the procedure did.
        if (token != TokenType.DONEPROC && command != SELECT) {
            statementsBesideSelect++;
        }
        if (token != TokenType.DONEPROC && (status & DoneStatus.COUNT) != 0) {
            rows += rowCount;
        }
    }

    @Override
    public void attentionAcknowledged() {
        state = State.CANCEL_ACKNOWLEDGED;
    }

    @Override
    public void endOfResponse() {
        state = switch (state) {
            case IDLE, RESPONDING, ENDED, UNREADABLE -> State.ENDED;
            case CANCELLING, UNREADABLE_CANCELLING -> State.CANCELLING;
            case CANCEL_ACKNOWLEDGED, CANCELLED -> State.CANCELLED;
        };
    }
}

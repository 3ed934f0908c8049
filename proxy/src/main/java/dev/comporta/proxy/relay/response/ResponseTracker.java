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
        /** Nothing was asked. */
        IDLE,
        RESPONDING,
        /** An attention was sent. Its acknowledgement may come with the response, or in a message of its own after it. */
        CANCELLING,
        /** The attention is acknowledged; the message has not ended. */
        CANCEL_ACKNOWLEDGED,
        /** The tokens can't be followed: only the end of the message can be found. */
        UNREADABLE,
        UNREADABLE_CANCELLING,
        /** The response is complete: the server has nothing to say. */
        ENDED,
        /** The same, and an attention was acknowledged. */
        CANCELLED
    }

    public enum Verdict {
        MORE,
        END,
        /** The server speaks without being asked. */
        UNASKED,
        /** The tokens can't be followed; {@link #complaint} says why. The response may be passed on unread. */
        UNREADABLE
    }

    /** Takes the integers that come back: handles of statements and cursors. */
    public interface Returned {
        /** @return what is to stand in its place */
        long integer(int ordinal, long value);
    }

    /** DONE's name for a statement that only reads. */
    private static final int SELECT = 0xC1;

    private final WireFormat format;
    private final Returned returned;
    private final TransactionTracker transaction = new TransactionTracker();
    private final ReturnPatch patch = new ReturnPatch();
    private TokenWalker walker;

    /** What was added to the ordinals of output parameters when the request was rewritten; 0 where it was sent as it is. */
    private int ordinalShift;

    private int lastError;
    private int lastSeverity;

    private State state = State.IDLE;
    private int errors;
    private int statementsBesideSelect;
    private long rows;
    private int resetsAcknowledged;
    private @Nullable String database;
    /** The server's first error; empty while there is none, null where nobody wants to know. */
    private @Nullable String complaint;

    public ResponseTracker(WireFormat format, Returned returned) {
        this.format = format;
        this.returned = returned;
        walker = new TokenWalker(format, this);
    }

    /** A client's request is sent; its response is next. */
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

    /** The request was sent in another form than the client's: its output parameters have other ordinals. */
    public void shiftOrdinals(int by) {
        ordinalShift = by;
    }

    /** Whether the last packet ends within a number that may have to be replaced: it is to be held until the next has come. */
    public boolean endsWithinReturnedNumber() {
        return !isUnreadable() && walker.endsWithinReturnedNumber();
    }

    /** How many bytes have come of a token whose rest is missing; more than any packet has where that is not known. */
    public long unfinishedBytes() {
        return isUnreadable() ? Long.MAX_VALUE : walker.unfinishedBytes();
    }

    /** The same for a question of the proxy's own: what the server finds wrong with it is kept. */
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

    /** The server's first error, or what could not be read; empty when there was none. */
    public String complaint() {
        return complaint == null ? "" : complaint;
    }

    public int errors() {
        return errors;
    }

    /** Whether the server says that it has reset the session. */
    public boolean resetIsAcknowledged() {
        return resetsAcknowledged > 0;
    }

    /** Whether the response has ended a statement that was no SELECT, as far as the server tells. */
    public boolean didMoreThanSelect() {
        return statementsBesideSelect > 0;
    }

    /** Sent and changed, as the statements' ends count them. */
    public long rows() {
        return rows;
    }

    /** The database that the session is in now; null when the response told of none. */
    public @Nullable String database() {
        return database;
    }

    // What the walker finds.

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
        // A procedure's own end says nothing of what was done in it.
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

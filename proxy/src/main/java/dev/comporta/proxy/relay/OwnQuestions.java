package dev.comporta.proxy.relay;

import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.prepared.PrepareCall;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.known.ServerMake;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.TransactionTracker;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.RelayCounters.OwnMessage;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketSink;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.Attention;
import dev.comporta.tds.request.EnclavePackage;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The proxy's own requests to a server, and their answers. One for each server connection. Confined to its bucket's loop. */
public final class OwnQuestions {
    /** The row that answers has some dozen bytes; messages of the server may precede it. */
    private static final int MOST_OF_AN_ANSWER = 4096;

    private final Runnable begin;
    private final SessionKnowledge session;
    private final ResponseTracker tracker;
    private final RelayCounters counters;
    private final WireFormat format;
    private final TdsVersion version;
    private final RequestFormat requests;
    private final ByteBufAllocator allocator;
    private final MessageWriter writer;

    private @Nullable OwnAnswer pending;
    /** The received part of the answer; null if it is not read. */
    private @Nullable ByteBuf answerBytes;
    /** The handle of the statement that is being prepared. */
    private int handle;

    /** @param begin called when a request of the proxy's own begins */
    OwnQuestions(
            Runnable begin, PooledServer server, RelayCounters counters, ByteBufAllocator allocator, PacketSink sink) {
        this.begin = begin;
        session = server.session();
        tracker = server.tracker();
        this.counters = counters;
        LoginResponse login = server.login();
        this.allocator = allocator;
        format = login.format();
        version = format.version();
        requests = login.requestFormat();
        writer = new MessageWriter(allocator, sink);
        writer.packetSize(login.packetSize());
    }

    /**
     * @param why the purpose, for the counters
     * @param reset whether to reset the session before it runs
     */
    public void ask(OwnMessage why, String sql, boolean reset, OwnAnswer answer) {
        begin(why, PacketType.SQL_BATCH, reset, answer);
        writer.writeText(sql).end();
    }

    /** Begins a message, up to the end of its headers. */
    private void begin(OwnMessage why, int type, boolean reset, OwnAnswer answer) {
        begin.run();
        counters.ownMessages.add(why, 1);
        if (reset) {
            counters.resets.add(RelayCounters.Reset.OWN_MESSAGE, 1);
            session.reset();
            tracker.transaction().wasReset();
        }
        pending = reset && version.acknowledgesReset()
                ? failed -> answer.answered(failed || !tracker.resetIsAcknowledged())
                : answer;
        writer.begin(type, reset ? PacketHeader.STATUS_RESETCONNECTION : 0);
        if (version.hasAllHeaders()) {
            ByteBuf headers = allocator.buffer(32);
            AllHeaders.inTransaction(tracker.transaction().descriptor()).write(headers);
            if (type == PacketType.SQL_BATCH && requests.enclavePackages()) {
                EnclavePackage.writeEmpty(headers);
            }
            writer.writeBytes(headers);
            headers.release();
        }
    }

    /** Asks for an integer; {@link IntegerAnswer#NONE} for any other answer. */
    private void askValue(OwnMessage why, String sql, LongConsumer answer) {
        ask(why, sql, false, failed -> {
            ByteBuf bytes = Objects.requireNonNull(answerBytes);
            answerBytes = null;
            long value = failed ? IntegerAnswer.NONE : IntegerAnswer.read(bytes, format);
            bytes.release();
            answer.accept(value);
        });
        answerBytes = allocator.buffer(128, MOST_OF_AN_ANSWER);
    }

    /** Asks whether a transaction is open, for servers that may not have reported it, and for context that a reset may leave. */
    void probe(OwnAnswer answer) {
        if (!session.mayHoldContext()) {
            probeTransaction(answer);
            return;
        }
        askValue(OwnMessage.PROBE, ServerMake.CONTEXT_PROBE, value -> {
            if (value < 0) {
                session.contextIsSet();
                probeTransaction(answer);
                return;
            }
            tracker.transaction().probed(value);
            if (value == 0) {
                session.contextIsEmpty();
            }
            answer.answered(false);
        });
    }

    private void probeTransaction(OwnAnswer answer) {
        askValue(OwnMessage.PROBE, TransactionTracker.PROBE, count -> {
            tracker.transaction().probed(count);
            answer.answered(count == IntegerAnswer.NONE);
        });
    }

    /** Rolls back any open transaction. Fails if there is context that no reset clears. */
    public void rollBack(OwnAnswer answer) {
        boolean askContext = session.mayHoldContext();
        String question = askContext ? ServerMake.CONTEXT_PROBE : TransactionTracker.PROBE;
        askValue(OwnMessage.ROLL_BACK, TransactionTracker.ROLL_BACK + question, count -> {
            tracker.transaction().probed(count);
            if (count == 0 && askContext) {
                session.contextIsEmpty();
            }
            answer.answered(count != 0);
        });
    }

    /** Learns what the server reports by itself: its {@link ServerHabits}. Fails if a transaction may be left open. */
    public void learn(OwnAnswer answer) {
        boolean canTell = version.tellsOfTransactions();
        askValue(OwnMessage.LEARN, canTell ? ServerHabits.TRY_TRANSACTION : ServerHabits.TRY_OPTIONS, value -> {
            session.habits(ServerHabits.of(value, tracker.transaction()));
            session.make(ServerHabits.make(value));
            answer.answered(!ServerHabits.isOutside(value));
        });
    }

    /**
     * Prepares a statement. By a call, not a batch: then the handle is returned in its own token, whatever else the server sends.
     *
     * @param reset whether to reset the session before
     */
    void prepare(PreparedText text, boolean reset, OwnAnswer answer) {
        handle = ServerHandles.NONE;
        begin(OwnMessage.PREPARE, PacketType.RPC, reset, failed -> {
            if (!failed && handle != ServerHandles.NONE) {
                session.handles().put(text, handle);
            } else {
                session.handles().stray();
            }
            answer.answered(failed || handle == ServerHandles.NONE);
        });
        ByteBuf call = allocator.buffer(text.text().length + text.declaration().length + 64);
        PrepareCall.write(call, text, requests);
        writer.writeBytes(call).end();
        call.release();
    }

    /** The answer returned an integer. No client sees it: it stays as it is. */
    long returned(int ordinal, long value) {
        if (ordinal == 0 && handle == ServerHandles.NONE && value > 0 && value <= Integer.MAX_VALUE) {
            handle = (int) value;
        }
        return value;
    }

    /** Unprepares the handles that are no longer used. */
    void giveUpSurplus(OwnAnswer answer) {
        ask(OwnMessage.UNPREPARE, session.handles().giveUpSurplus(), false, failed -> {
            if (failed) {
                session.handles().forget();
            }
            answer.answered(false);
        });
    }

    void attention() {
        Attention.write(writer);
    }

    /** Borrows a packet of the answer. What exceeds the limit is cut off, so that the answer is invalid. */
    void read(ByteBuf packet) {
        ByteBuf kept = answerBytes;
        if (kept != null) {
            int payload = packet.readableBytes() - PacketHeader.LENGTH;
            kept.writeBytes(
                    packet, packet.readerIndex() + PacketHeader.LENGTH, Math.min(payload, kept.maxWritableBytes()));
        }
    }

    void ended() {
        OwnAnswer answer = Objects.requireNonNull(pending);
        pending = null;
        answer.answered(tracker.errors() > 0);
    }

    /** Forgets the answer, as nobody waits for it any more. */
    void forget() {
        pending = null;
        if (answerBytes != null) {
            answerBytes.release();
            answerBytes = null;
        }
    }
}

package dev.comporta.standin.wire;

import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A client that is logged in. Assembles its messages on the event loop, and executes each on a virtual thread, one at a
 * time; messages that arrive meanwhile wait, except an attention.
 *
 * <p>Fields belong to the event loop, unless they say otherwise.
 */
final class SessionHandler extends ChannelInboundHandlerAdapter {
    /** Messages that may wait behind the running one. Not 0: the connection must be read to receive an attention. */
    private static final int MOST_WAITING = 1;

    private static final int ERROR_BULK_COLUMN = 4815;
    private static final int SEVERITY_USER = 16;

    private final Channel channel;
    private final WireSession session;
    private final WireServer server;
    private final MessageAssembler assembler;
    private final Queue<ClientMessage> waiting = new ArrayDeque<>();
    private final ChannelSink sink;
    private final MessageWriter writer;
    private @Nullable RunningRequest running;
    /** Discards the rest of a bulk load that was answered before its end. */
    private boolean skipsBulkLoad;

    private boolean refusalOwed;
    private boolean closed;
    /** The client has closed its output, and waits for the connection to end. */
    private boolean hungUp;
    /** Attentions to be acknowledged when no request runs any more. */
    private int attentionsOwed;
    /** Requests that were waiting when an attention arrived: each is answered with an error. */
    private int errorsOwed;

    SessionHandler(Channel channel, WireSession session, WireServer server) {
        this.channel = channel;
        this.session = session;
        this.server = server;
        assembler = new MessageAssembler(server.settings().maxMessageBytes());
        sink = new ChannelSink(channel);
        writer = new MessageWriter(channel.alloc(), sink);
        writer.packetSize(session.packetSize);
        writer.spid(session.engine.spid());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf packet = (ByteBuf) msg;
        if (!channel.isActive()) {
            packet.release(); // the connection was closed because of an earlier packet
        } else if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            packet.release();
            skipsBulkLoad = false;
            attention();
        } else if (skipsBulkLoad || isRefusedBulkLoad(packet)) {
            skipsBulkLoad = !PacketHeader.isEndOfMessage(packet);
            packet.release();
        } else if (assembler.add(packet)) {
            waiting.add(new ClientMessage(
                    assembler.type(), assembler.firstStatus(), assembler.isIgnored(), assembler.take()));
            if (running == null) {
                runNext();
            } else if (waiting.size() > MOST_WAITING) {
                // Stop reading to limit memory; no driver sends more before it has its response.
                channel.config().setAutoRead(false);
            }
        }
    }

    /**
     * Whether the packet begins a bulk load that is to be refused. If so, refuses it, at once or when the previous request
     * has ended: the client may know of that end before this thread does.
     */
    private boolean isRefusedBulkLoad(ByteBuf packet) {
        if (PacketHeader.type(packet) != PacketType.BULK_LOAD
                || !server.misbehaviour().refuseBulkLoads()) {
            return false;
        }
        if (running == null) {
            refuseBulkLoad();
        } else {
            refusalOwed = true;
        }
        return true;
    }

    private void refuseBulkLoad() {
        server.tally().requests.increment();
        ByteBuf refusal = channel.alloc().buffer();
        session.tokens.error(
                refusal,
                ERROR_BULK_COLUMN,
                1,
                SEVERITY_USER,
                "Received an invalid column length from the bcp client for colid 1.",
                server.settings().serverName(),
                "",
                1);
        session.tokens.done(refusal, DoneStatus.ERROR, 0, 0);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(refusal).end();
        refusal.release();
    }

    private void attention() {
        server.tally().attentions.increment();
        if (running != null && server.settings().habits().isBabelfish()) {
            // Babelfish reads the next message after it has answered this one, and an attention is a message.
            waiting.add(new ClientMessage(PacketType.ATTENTION, 0, false, Unpooled.EMPTY_BUFFER));
            return;
        }
        attentionsOwed++;
        dropUnanswered();
        if (running == null) {
            sendOwedAnswers();
        } else {
            running.attention();
        }
    }

    /**
     * Drops requests that have not begun. One can be here although the client sends none before it has its response: the
     * thread that answered may not have reported yet that it has ended.
     */
    private void dropUnanswered() {
        assembler.discard();
        for (ClientMessage message = waiting.poll(); message != null; message = waiting.poll()) {
            message.body().release();
            errorsOwed++;
        }
    }

    /** First an error for each dropped request, then the acknowledgement: drivers read them in this order. */
    private void sendOwedAnswers() {
        if (refusalOwed) {
            refusalOwed = false;
            refuseBulkLoad();
        }
        for (; errorsOwed > 0; errorsOwed--) {
            done(DoneStatus.ERROR);
        }
        for (; attentionsOwed > 0; attentionsOwed--) {
            server.tally().roundTrips.increment();
            done(DoneStatus.ATTN);
        }
    }

    private void done(int status) {
        ByteBuf done = channel.alloc().buffer();
        session.tokens.done(done, status, 0, 0);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(done).end();
        done.release();
    }

    private void runNext() {
        ClientMessage message = waiting.poll();
        if (waiting.size() <= MOST_WAITING) {
            // Also while the last one runs: the attention that may cancel it must be received.
            channel.config().setAutoRead(!server.misbehaviour().stopReading());
        }
        if (message == null) {
            return;
        }
        if (message.type() == PacketType.ATTENTION) {
            attentionsOwed++;
            sendOwedAnswers();
            runNext();
            return;
        }
        ResponseStream response = new ResponseStream(session, writer, server.settings());
        running = new RunningRequest(server, channel, session, response);
        running.start(message, this::finished);
    }

    private void finished(boolean close) {
        running = null;
        if (close || hungUp || !channel.isActive()) {
            closeSession();
            return;
        }
        sendOwedAnswers();
        runNext();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sink.wake();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            hungUp = true;
            endWhatRuns();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        endWhatRuns();
        ctx.fireChannelInactive();
    }

    private void endWhatRuns() {
        sink.wake();
        if (running == null) {
            closeSession();
        } else {
            running.abandon();
        }
    }

    private void closeSession() {
        if (closed) {
            return;
        }
        closed = true;
        dropUnanswered();
        server.sessionEnded(session, channel);
    }
}

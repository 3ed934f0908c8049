package dev.comporta.standin.wire;

import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A client that is logged in. Puts its messages together on the event loop, and has each carried out by a virtual thread,
 * one at a time; what a client sends meanwhile waits, but for an attention.
 *
 * <p>Fields belong to the event loop, unless they say otherwise.
 */
final class SessionHandler extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final ClientSession session;
    private final WireServer server;
    private final MessageAssembler assembler;
    private final Queue<ClientMessage> waiting = new ArrayDeque<>();
    private final ChannelSink sink;
    private final MessageWriter writer;
    private @Nullable RunningRequest running;
    private boolean closed;
    /** The client sends nothing more, and waits for the connection to end. */
    private boolean hungUp;
    /** Attentions that came too late for the response before them, and have to be acknowledged after it. */
    private int lateAttentions;

    SessionHandler(Channel channel, ClientSession session, WireServer server) {
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
            packet.release(); // closed because of what came before it
        } else if (PacketHeader.type(packet) == PacketType.ATTENTION) {
            packet.release();
            attention();
        } else if (assembler.add(packet)) {
            waiting.add(new ClientMessage(
                    assembler.type(), assembler.firstStatus(), assembler.isIgnored(), assembler.take()));
            if (running == null) {
                runNext();
            } else {
                // Memory is bounded by not reading on; no driver sends more before it has its answer.
                channel.config().setAutoRead(false);
            }
        }
    }

    private void attention() {
        server.tally().attentions.increment();
        dropUnanswered();
        if (running == null) {
            acknowledgeAttention();
        } else if (!running.attention()) {
            lateAttentions++;
        }
    }

    private void dropUnanswered() {
        assembler.discard();
        for (ClientMessage message = waiting.poll(); message != null; message = waiting.poll()) {
            message.body().release();
        }
    }

    private void acknowledgeAttention() {
        server.tally().roundTrips.increment();
        ByteBuf done = channel.alloc().buffer();
        session.tokens.done(done, DoneStatus.ATTN, 0, 0);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(done).end();
        done.release();
    }

    private void runNext() {
        ClientMessage message = waiting.poll();
        if (waiting.isEmpty()) {
            // Also while the last one runs: the attention that is to cancel it must be heard.
            channel.config().setAutoRead(!server.misbehaviour().stopReading());
        }
        if (message == null) {
            return;
        }
        ResponseStream response =
                new ResponseStream(session, writer, server.settings().serverName());
        running = new RunningRequest(server, channel, session, response);
        running.start(message, this::finished);
    }

    private void finished(boolean close) {
        running = null;
        if (close || hungUp || !channel.isActive()) {
            closeSession();
            return;
        }
        for (; lateAttentions > 0; lateAttentions--) {
            acknowledgeAttention();
        }
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

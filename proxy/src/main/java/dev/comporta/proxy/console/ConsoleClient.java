package dev.comporta.proxy.console;

import dev.comporta.console.Console;
import dev.comporta.console.ConsoleSession;
import dev.comporta.console.eval.SessionFacts;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SqlBatch;
import dev.comporta.tds.request.TransactionRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An administrator's connection. A request is run on a virtual thread of its own, and answered on the event loop; a second
 * one is not taken before. Cancelling does not stop a request, whose time is bounded: it is acknowledged behind its answer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
final class ConsoleClient extends ChannelInboundHandlerAdapter {
    /** More than the console's language takes of a text. */
    private static final int MOST_REQUEST_BYTES = 1 << 20;

    private static final Logger log = LoggerFactory.getLogger(ConsoleClient.class);

    private final RequestFormat format;
    private final MessageWriter writer;
    private final MessageAssembler message = new MessageAssembler(MOST_REQUEST_BYTES);
    private final ConsoleRequests requests;
    private final TdsVersion version;
    private final String server;
    private boolean running;
    private boolean cancelled;

    /** @param address where it is, for the audit log */
    ConsoleClient(Console console, SessionFacts facts, String address, TdsVersion version, MessageWriter writer) {
        this.version = version;
        this.writer = writer;
        server = facts.serverName();
        format = RequestFormat.of(version);
        requests = new ConsoleRequests(console, new Session(facts, address));
    }

    /** The one login of the console may give commands. */
    private record Session(SessionFacts facts, String address) implements ConsoleSession {
        @Override
        public boolean mayCommand() {
            return true;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object packet) {
        ByteBuf bytes = (ByteBuf) packet;
        if (PacketHeader.type(bytes) == PacketType.ATTENTION) {
            bytes.release();
            attention(ctx);
        } else if (running) {
            bytes.release();
            throw new ProtocolException("a request before the answer to the one before it");
        } else if (message.add(bytes)) {
            request(ctx);
        }
    }

    private void attention(ChannelHandlerContext ctx) {
        message.discard();
        if (running) {
            cancelled = true;
        } else {
            send(ctx, new ConsoleAnswer(version, server).attention());
        }
    }

    private void request(ChannelHandlerContext ctx) {
        ByteBuf body = message.take();
        try {
            if (message.isIgnored()) {
                send(ctx, new ConsoleAnswer(version, server).attention());
                return;
            }
            boolean reset = (message.firstStatus()
                            & (PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN))
                    != 0;
            run(ctx, reset, read(message.type(), body));
        } finally {
            body.release();
        }
    }

    /** What is to be done, on another thread, for a request that was read on this one. */
    private Consumer<ConsoleAnswer> read(int type, ByteBuf body) {
        return switch (type) {
            case PacketType.SQL_BATCH -> {
                String text = SqlBatch.read(body, format).text();
                yield answer -> requests.batch(text, answer);
            }
            case PacketType.RPC -> {
                RpcRequest request = RpcRequest.read(body, format);
                yield answer -> requests.calls(request, answer);
            }
            case PacketType.TRANSACTION_MANAGER -> {
                TransactionRequest request = TransactionRequest.read(body, format);
                yield answer -> requests.transaction(request.action(), answer);
            }
            default -> throw new ProtocolException("%s is no request".formatted(PacketType.name(type)));
        };
    }

    private void run(ChannelHandlerContext ctx, boolean reset, Consumer<ConsoleAnswer> work) {
        running = true;
        Thread.ofVirtual().name("console").start(() -> {
            ConsoleAnswer answer = new ConsoleAnswer(version, server);
            try {
                if (reset) {
                    requests.reset();
                    answer.resetAcknowledged();
                }
                work.accept(answer);
            } catch (RuntimeException broken) {
                log.error("the console failed", broken);
                answer = new ConsoleAnswer(version, server).failed("the console failed: the log has more of it");
            }
            ByteBuf tokens = answer.end();
            ctx.executor().execute(() -> answered(ctx, tokens));
        });
    }

    private void answered(ChannelHandlerContext ctx, ByteBuf tokens) {
        running = false;
        send(ctx, tokens);
        if (cancelled) {
            cancelled = false;
            send(ctx, new ConsoleAnswer(version, server).attention());
        }
    }

    private void send(ChannelHandlerContext ctx, ByteBuf tokens) {
        try {
            if (ctx.channel().isActive()) {
                writer.begin(PacketType.TABULAR_RESULT).writeBytes(tokens).end();
                ctx.flush();
            }
        } finally {
            tokens.release();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        message.discard();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        message.discard();
        log.info("console: {} has left", ClientAddress.of(ctx.channel()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log.info("console: {} is closed: {}", ClientAddress.of(ctx.channel()), cause.getMessage());
        ctx.close();
    }
}

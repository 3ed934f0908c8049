package dev.comporta.proxy.console;

import dev.comporta.console.Console;
import dev.comporta.console.ConsoleSession;
import dev.comporta.console.eval.scalar.SessionFacts;
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
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An administrator's connection. A request runs on another thread; its answer is sent on the event loop in parts, so that the
 * loop serves its clients in between. A second request before the end of the answer is a protocol error. Cancelling does not
 * stop a request, whose time is bounded: it is acknowledged after the answer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
final class ConsoleClient extends ChannelInboundHandlerAdapter {
    /** More than the longest text that the console's language accepts. */
    private static final int MOST_REQUEST_BYTES = 1 << 20;
    /** The part of an answer that is sent at a time, in some ten microseconds. */
    private static final int MOST_SENT_AT_ONCE = 32 * 1024;

    private static final Logger log = LoggerFactory.getLogger(ConsoleClient.class);

    private final RequestFormat format;
    private final MessageWriter writer;
    private final MessageAssembler message = new MessageAssembler(MOST_REQUEST_BYTES);
    private final ConsoleRequests requests;
    private final TdsVersion version;
    private final String server;
    private final Executor executor;
    /** True from a request until its whole answer is sent. */
    private boolean running;

    private boolean cancelled;
    /** The rest of the answer that is being sent. */
    private @Nullable ByteBuf unsent;

    /**
     * @param executor runs the requests
     * @param address its address, for the audit log
     */
    ConsoleClient(
            Console console,
            Executor executor,
            SessionFacts facts,
            String address,
            TdsVersion version,
            MessageWriter writer) {
        this.executor = executor;
        this.version = version;
        this.writer = writer;
        server = facts.serverName();
        format = RequestFormat.of(version);
        requests = new ConsoleRequests(console, new Session(facts, address));
    }

    /** The console's only login may run commands. */
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
            throw new ProtocolException("a request before the previous one was answered");
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

    /** Reads a request on this thread. Returns the work, which runs on another. */
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
        executor.execute(() -> {
            ConsoleAnswer answer = new ConsoleAnswer(version, server);
            try {
                if (reset) {
                    requests.reset();
                    answer.resetAcknowledged();
                }
                work.accept(answer);
            } catch (RuntimeException broken) {
                log.error("console: a request failed with an internal error", broken);
                answer = new ConsoleAnswer(version, server).failed("internal error of the console: see the log");
            }
            ByteBuf tokens = answer.end();
            ctx.executor().execute(() -> answered(ctx, tokens));
        });
    }

    private void answered(ChannelHandlerContext ctx, ByteBuf tokens) {
        if (!ctx.channel().isActive()) {
            tokens.release();
            return;
        }
        writer.begin(PacketType.TABULAR_RESULT);
        unsent = tokens;
        sendMore(ctx);
    }

    private void sendMore(ChannelHandlerContext ctx) {
        ByteBuf tokens = unsent;
        if (tokens == null) {
            return;
        }
        writer.writeBytes(tokens.readSlice(Math.min(tokens.readableBytes(), MOST_SENT_AT_ONCE)));
        if (!tokens.isReadable()) {
            writer.end();
            ctx.flush();
            discardAnswer();
            sent(ctx);
            return;
        }
        ctx.flush();
        ctx.executor().execute(() -> sendMore(ctx));
    }

    private void sent(ChannelHandlerContext ctx) {
        running = false;
        if (cancelled) {
            cancelled = false;
            send(ctx, new ConsoleAnswer(version, server).attention());
        }
    }

    /** Sends an answer of a few bytes. */
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

    private void discardAnswer() {
        if (unsent != null) {
            unsent.release();
            unsent = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        message.discard();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        message.discard();
        discardAnswer();
        writer.discard();
        log.info("console: {} disconnected", ClientAddress.of(ctx.channel()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log.info("console: closing {}: {}", ClientAddress.of(ctx.channel()), cause.getMessage());
        ctx.close();
    }
}

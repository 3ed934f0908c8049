package dev.comporta.bench.load;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SqlBatch;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A client that keeps a few prepared statements, as mssql-jdbc does: each is prepared by sp_prepexec once, and then executed
 * by sp_execute. The run may make it send the same statements as batches or by sp_executesql.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by its close
final class StatementClient extends ChannelInboundHandlerAdapter {
    static final int STATEMENTS = 10;

    /** The clients' statements. After a write, a connection is reset for the next client, which drops its handles. */
    enum Kind {
        READS("SELECT"),
        WRITES("UPDATE");

        final String title;

        Kind(String title) {
            this.title = title;
        }

        List<Way> ways() {
            return switch (this) {
                case READS -> List.of(Way.BATCH, Way.EXECUTE_SQL, Way.PREPARED);
                case WRITES -> List.of(Way.values());
            };
        }
    }

    /** The way in which the clients send statements. */
    enum Way {
        BATCH("batch"),
        EXECUTE_SQL("sp_executesql"),
        PREPARED("sp_execute"),
        TWO_CALLS("two of sp_executesql in a message"),
        TWO_PREPARED("two of sp_execute in a message");

        final String label;

        Way(String label) {
            this.label = label;
        }
    }

    /** The figures of one way. */
    static final class Figures {
        final LongAdder answers = new LongAdder();
        final Histogram nanos = new ConcurrentHistogram(3);
        long measuredNanos;
        long cpuNanos;
        long allocated;
        long prepares;
        long byHandle;
        long resets;

        double perSecond() {
            return answers.sum() * 1e9 / measuredNanos;
        }

        /** Bytes that the proxy has allocated on its heap. */
        double bytesAllocated() {
            return (double) allocated / answers.sum();
        }

        double cpuMicros() {
            return cpuNanos / 1e3 / answers.sum();
        }
    }

    /** The shared state of all clients of a run. */
    static final class Run {
        final Kind kind;
        final Messages messages;
        final CountDownLatch ready;
        final LongAdder errors = new LongAdder();
        final Map<Way, Figures> figures = new EnumMap<>(Way.class);
        volatile Way way = Way.BATCH;
        volatile boolean asking = true;
        volatile boolean measuring;

        Run(Kind kind, int clients) {
            this.kind = kind;
            messages = new Messages(kind);
            ready = new CountDownLatch(clients);
            for (Way each : Way.values()) {
                figures.put(each, new Figures());
            }
        }

        Figures figures(Way wanted) {
            Figures found = figures.get(wanted);
            if (found == null) {
                throw new IllegalStateException();
            }
            return found;
        }
    }

    private static final TypeInfo INT = TypeInfo.intN(Integer.BYTES);
    private static final TypeInfo TEXT = TypeInfo.nvarchar(4000);
    /** The messages of one kind, which all clients send, except for executions by handle. */
    static final class Messages {
        final ByteBuf[] batches = new ByteBuf[STATEMENTS];
        final ByteBuf[] calls = new ByteBuf[STATEMENTS];
        final ByteBuf[] twoCalls = new ByteBuf[STATEMENTS];
        final ByteBuf[] preparations = new ByteBuf[STATEMENTS];

        Messages(Kind kind) {
            for (int i = 0; i < STATEMENTS; i++) {
                RpcParameter declaration = RpcParameter.of("", TEXT, "@P0 int");
                RpcParameter text = RpcParameter.of("", TEXT, text(kind, i, "@P0"));
                RpcParameter value = RpcParameter.of("@P0", INT, i);
                RpcCall call = RpcCall.of(SystemProcedure.EXECUTE_SQL, text, declaration, value);
                batches[i] = repeatable(PacketType.SQL_BATCH, batch(text(kind, i, "4711")));
                calls[i] = repeatable(PacketType.RPC, rpc(call));
                twoCalls[i] = repeatable(PacketType.RPC, rpc(call, call));
                preparations[i] = repeatable(
                        PacketType.RPC,
                        rpc(RpcCall.of(
                                SystemProcedure.PREP_EXEC, RpcParameter.output("", INT, 0), declaration, text, value)));
            }
        }
    }

    private static final int ERROR_TOKEN = 0xAA;
    /** The number of bytes after the handle in the answer to sp_prepexec. */
    private static final int DONE_BYTES = 13;

    private enum State {
        PRELOGIN,
        LOGIN7,
        PREPARING,
        READY
    }

    private final Run run;
    private final ByteBuf[] executions = new ByteBuf[STATEMENTS];
    private final ByteBuf[] twoExecutions = new ByteBuf[STATEMENTS];
    private State state = State.PRELOGIN;
    private int prepared;
    private int asked;
    private Way way = Way.BATCH;
    private long sentAt;

    private StatementClient(Run run) {
        this.run = run;
    }

    /** @return a client that logs in, prepares, and then waits for {@link #begin} */
    static Channel connect(EventLoopGroup loops, int port, Run run) {
        return Sockets.best().connect(loops, port, () -> new StatementClient(run), null);
    }

    /** Statements as an application has them: a page of an order list, or an update of an order, each with another table. */
    private static String text(Kind kind, int statement, String value) {
        if (kind == Kind.WRITES) {
            return "UPDATE dbo.orders_" + statement
                    + " SET status = 3, changed_at = SYSUTCDATETIME(), changes = changes + 1" + " WHERE customer = "
                    + value + " AND status <> 3";
        }
        return "SELECT id, customer, amount, placed_at FROM dbo.orders_" + statement + " WHERE customer = " + value
                + " AND status <> 3 ORDER BY placed_at DESC";
    }

    private static ByteBuf batch(String sql) {
        ByteBuf body = Unpooled.buffer();
        new SqlBatch(AllHeaders.AUTOCOMMIT, sql).write(body, RequestFormat.of(TdsVersion.V7_4));
        return body;
    }

    /** On the heap, so that it is collected with its client and need not be released. */
    private static ByteBuf repeatable(int type, ByteBuf payload) {
        ByteBuf message = LoadClient.packet(type, payload);
        ByteBuf copy = Unpooled.copiedBuffer(message);
        message.release();
        return Unpooled.unreleasableBuffer(copy);
    }

    private static ByteBuf rpc(RpcCall... calls) {
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, calls).write(body, RequestFormat.of(TdsVersion.V7_4));
        return body;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.writeAndFlush(LoadClient.packet(PacketType.PRELOGIN, LoadClient.prelogin()));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf packet = (ByteBuf) message;
        boolean last = PacketHeader.isEndOfMessage(packet);
        if (packet.readableBytes() > PacketHeader.LENGTH
                && packet.getUnsignedByte(packet.readerIndex() + PacketHeader.LENGTH) == ERROR_TOKEN) {
            run.errors.increment();
        }
        if (last && state == State.PREPARING) {
            int handle = packet.getIntLE(packet.writerIndex() - DONE_BYTES - Integer.BYTES);
            RpcCall call = RpcCall.of(
                    SystemProcedure.EXECUTE, RpcParameter.of("", INT, handle), RpcParameter.of("@P0", INT, prepared));
            executions[prepared] = repeatable(PacketType.RPC, rpc(call));
            twoExecutions[prepared] = repeatable(PacketType.RPC, rpc(call, call));
            prepared++;
        }
        packet.release();
        if (last) {
            answered(ctx);
        }
    }

    private void answered(ChannelHandlerContext ctx) {
        switch (state) {
            case PRELOGIN -> {
                state = State.LOGIN7;
                ctx.writeAndFlush(LoadClient.packet(PacketType.LOGIN7, LoadClient.login()));
            }
            case LOGIN7, PREPARING -> {
                state = State.PREPARING;
                if (prepared < STATEMENTS) {
                    ctx.writeAndFlush(run.messages.preparations[prepared].retainedDuplicate());
                } else {
                    state = State.READY;
                    run.ready.countDown();
                }
            }
            case READY -> {
                if (run.measuring && way == run.way) {
                    Figures figures = run.figures(way);
                    figures.answers.increment();
                    figures.nanos.recordValue(System.nanoTime() - sentAt);
                }
                if (run.asking) {
                    ask(ctx);
                }
            }
        }
    }

    /** Sends the first request; while the run is asking, each answer causes the next one. */
    static void begin(Channel channel) {
        ChannelHandlerContext ctx = channel.pipeline().context(StatementClient.class);
        channel.eventLoop().execute(() -> ((StatementClient) ctx.handler()).ask(ctx));
    }

    private void ask(ChannelHandlerContext ctx) {
        way = run.way;
        int statement = asked++ % STATEMENTS;
        ByteBuf request = switch (way) {
            case BATCH -> run.messages.batches[statement];
            case EXECUTE_SQL -> run.messages.calls[statement];
            case PREPARED -> executions[statement];
            case TWO_CALLS -> run.messages.twoCalls[statement];
            case TWO_PREPARED -> twoExecutions[statement];
        };
        sentAt = System.nanoTime();
        ctx.writeAndFlush(request.retainedDuplicate(), ctx.voidPromise());
    }
}

package dev.comporta.bench.load;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A client that logs in and then sends the same {@link Query} repeatedly, one request at a time. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by its close
public final class LoadClient extends ChannelInboundHandlerAdapter {
    private enum State {
        PRELOGIN,
        LOGIN7,
        READY
    }

    /** The shared state of all clients of a run. */
    public static final class Run {
        final CountDownLatch loggedIn;
        final LongAdder answers = new LongAdder();
        final LongAdder errors = new LongAdder();
        final Histogram nanos = new ConcurrentHistogram(3);
        volatile boolean asking;
        volatile boolean measuring;
        private final int clients;
        private final int pauseMillis;
        private final Query query;
        /** The number of clients that have begun, and have not yet got the last answer. */
        private final AtomicInteger busy = new AtomicInteger();

        public Run(int clients) {
            this(clients, 0, Query.ONE_ROW);
        }

        /** @param pauseMillis the pause between an answer and the client's next request */
        Run(int clients, int pauseMillis, Query query) {
            loggedIn = new CountDownLatch(clients);
            this.clients = clients;
            this.pauseMillis = pauseMillis;
            this.query = query;
        }

        int clients() {
            return clients;
        }

        boolean isAtRest() {
            return busy.get() == 0;
        }
    }

    private static final int ERROR_TOKEN = 0xAA;

    private final Run run;
    private State state = State.PRELOGIN;
    private long sentAt;

    private LoadClient(Run run) {
        this.run = run;
    }

    public static Channel connect(EventLoopGroup loops, Sockets sockets, int port, Run run) {
        return connect(loops, sockets, port, run, null);
    }

    /** @param tls the TLS with which the connection begins, as in TDS 8.0; null for none */
    static Channel connect(EventLoopGroup loops, Sockets sockets, int port, Run run, @Nullable SslContext tls) {
        return sockets.connect(loops, port, () -> new LoadClient(run), tls);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.writeAndFlush(packet(PacketType.PRELOGIN, prelogin()));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf packet = (ByteBuf) message;
        boolean last = PacketHeader.isEndOfMessage(packet);
        boolean error = packet.readableBytes() > PacketHeader.LENGTH
                && packet.getUnsignedByte(packet.readerIndex() + PacketHeader.LENGTH) == ERROR_TOKEN;
        packet.release();
        if (!last) {
            return;
        }
        switch (state) {
            case PRELOGIN -> {
                state = State.LOGIN7;
                ctx.writeAndFlush(packet(PacketType.LOGIN7, login()));
            }
            case LOGIN7 -> {
                state = State.READY;
                if (error) {
                    run.errors.increment();
                }
                run.loggedIn.countDown();
            }
            case READY -> answered(ctx, error);
        }
    }

    private void answered(ChannelHandlerContext ctx, boolean error) {
        if (run.measuring) {
            run.answers.increment();
            run.nanos.recordValue(System.nanoTime() - sentAt);
        }
        if (error) {
            run.errors.increment();
        }
        if (!run.asking) {
            run.busy.decrementAndGet();
        } else if (run.pauseMillis == 0) {
            ask(ctx);
        } else {
            ctx.executor().schedule(() -> ask(ctx), run.pauseMillis, TimeUnit.MILLISECONDS);
        }
    }

    /** Sends the first request; while the run is asking, each answer causes the next one. */
    public static void begin(Channel channel) {
        ChannelHandlerContext ctx = channel.pipeline().context(LoadClient.class);
        LoadClient client = (LoadClient) ctx.handler();
        client.run.busy.incrementAndGet();
        channel.eventLoop().execute(() -> client.ask(ctx));
    }

    private void ask(ChannelHandlerContext ctx) {
        sentAt = System.nanoTime();
        ctx.writeAndFlush(run.query.request(), ctx.voidPromise());
    }

    static ByteBuf prelogin() {
        ByteBuf prelogin = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(Encryption.NOT_SUPPORTED)
                .instance("")
                .threadId(new byte[4])
                .mars(false)
                .build()
                .write(prelogin);
        return prelogin;
    }

    static ByteBuf login() {
        Login7 login = new Login7Builder()
                .tdsVersion(TdsVersion.V7_4.wireValue())
                .userName("sa")
                .password(Secret.ofText("bench"))
                .database("bench")
                .build();
        ByteBuf out = Unpooled.buffer();
        login.write(out);
        return out;
    }

    static ByteBuf packet(int type, ByteBuf payload) {
        ByteBuf[] packet = new ByteBuf[1];
        MessageWriter writer =
                new MessageWriter(UnpooledByteBufAllocator.DEFAULT, (packets, end) -> packet[0] = packets);
        writer.begin(type).writeBytes(payload).end();
        return packet[0];
    }
}

package dev.comporta.bench.load;

import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.CannedAnswers;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A TDS server without a database: accepts every login and answers every request at once, with the response that {@link
 * Query} has for it; it supports prepared handles. It takes so little time that the proxy before it is measured.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by its close
public final class InstantServer extends ChannelInboundHandlerAdapter {
    /** The maximum length of the acknowledgement of a reset. */
    private static final int RESET_BYTES = 16;

    private final Tally tally;
    private final InstantHandles handles;
    private boolean inMessage;
    private boolean reset;
    private Query query = Query.ONE_ROW;
    private @Nullable ByteBuf answerToCall;

    private InstantServer(Tally tally) {
        this.tally = tally;
        handles = new InstantHandles(tally);
    }

    /** Counts open connections, their maximum, and the uses of prepared handles. */
    public static final class Tally {
        private final AtomicInteger open = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final LongAdder prepares = new LongAdder();
        private final LongAdder executions = new LongAdder();
        private final LongAdder unknown = new LongAdder();
        private final LongAdder resets = new LongAdder();

        void opened() {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
        }

        void closed() {
            open.decrementAndGet();
        }

        public int most() {
            return most.get();
        }

        void prepared() {
            prepares.increment();
        }

        /** @param known whether the session had the handle */
        void executed(boolean known) {
            (known ? executions : unknown).increment();
        }

        void reset() {
            resets.increment();
        }

        long prepares() {
            return prepares.sum();
        }

        long executions() {
            return executions.sum();
        }

        long unknown() {
            return unknown.sum();
        }

        long resets() {
            return resets.sum();
        }
    }

    /** Binds to the loopback address. */
    public static Channel start(EventLoopGroup loops, Sockets sockets, int port) {
        return start(loops, sockets, port, new Tally());
    }

    /** Binds to the loopback address, and counts in the tally. */
    public static Channel start(EventLoopGroup loops, Sockets sockets, int port, Tally tally) {
        return new ServerBootstrap()
                .group(loops)
                .channel(sockets.server())
                .option(ChannelOption.SO_BACKLOG, 8192)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        client.pipeline()
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new InstantServer(tally));
                    }
                })
                .bind("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        tally.opened();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        tally.closed();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf packet = (ByteBuf) message;
        int type = PacketHeader.type(packet);
        if (!inMessage) {
            begin(type, packet);
        }
        inMessage = !PacketHeader.isEndOfMessage(packet);
        packet.release();
        if (inMessage) {
            return;
        }
        switch (type) {
            case PacketType.PRELOGIN -> ctx.write(CannedAnswers.prelogin());
            case PacketType.LOGIN7 -> ctx.write(CannedAnswers.login("bench", PacketHeader.DEFAULT_PACKET_SIZE));
            case PacketType.RPC -> ctx.write(called(), ctx.voidPromise());
            default -> ctx.write(query.answer(reset), ctx.voidPromise());
        }
    }

    private void begin(int type, ByteBuf packet) {
        reset = (PacketHeader.status(packet) & PacketHeader.STATUS_RESETCONNECTION) != 0;
        if (reset) {
            handles.reset();
            tally.reset();
        }
        if (type == PacketType.RPC) {
            answerToCall = handles.answer(packet);
        } else {
            query = Query.of(packet);
        }
    }

    private ByteBuf called() {
        ByteBuf tokens = answerToCall;
        answerToCall = null;
        if (tokens == null) {
            throw new IllegalStateException("an RPC that did not begin");
        }
        ByteBuf out = Unpooled.buffer(PacketHeader.LENGTH + tokens.readableBytes() + RESET_BYTES);
        out.writeByte(PacketType.TABULAR_RESULT)
                .writeByte(PacketHeader.STATUS_EOM)
                .writeShort(0);
        out.writeInt(0);
        if (reset) {
            CannedAnswers.TOKENS.resetAcknowledged(out);
        }
        out.writeBytes(tokens);
        tokens.release();
        out.setShort(2, out.readableBytes());
        return out;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}

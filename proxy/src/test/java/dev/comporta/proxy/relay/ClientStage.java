package dev.comporta.proxy.relay;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.line.HangUp;
import dev.comporta.proxy.login.LoginResponses;
import dev.comporta.proxy.prepared.PreparedTexts;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.SlowRequests;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.sql.SetOption;
import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One client and at most one server connection, each on an embedded channel, with a host that only takes notes. What
 * happens is written down in words: what the host is asked for, what each side is sent, what becomes of a packet.
 */
final class ClientStage {
    /** Marks the packets that are not the proxy's own. */
    private static final int FOREIGN = 77;

    private static final String IMPOSSIBLE = "IllegalStateException";

    private final List<String> acts = new ArrayList<>();
    private final List<ByteBuf> sent = new ArrayList<>();
    private final News news;
    private final NotingHost host;
    private final PooledClient client;
    private final EmbeddedChannel clientChannel;
    private @Nullable PooledServer server;
    private @Nullable EmbeddedChannel serverChannel;
    private final List<EmbeddedChannel> formerServers = new ArrayList<>();

    ClientStage(boolean sessionMode) {
        this(sessionMode, News.NONE);
    }

    ClientStage(boolean sessionMode, News news) {
        this.news = news;
        host = new NotingHost();
        host.sessionMode = sessionMode;
        client = new PooledClient(1, ClientIdentity.UNKNOWN, host, host.pool, LoginResponses.accepted());
        clientChannel = new EmbeddedChannel(client);
        client.enter();
    }

    ClientPhase phase() {
        return client.phase();
    }

    /** What has happened since this was asked last. */
    String outcome() {
        drain(clientChannel, "client gets ");
        if (serverChannel != null) {
            drain(serverChannel, "server gets ");
        }
        String told = String.join(", ", acts);
        acts.clear();
        return told;
    }

    /** Ends everything, and looks whether every packet was released. */
    void strike() {
        clientChannel.close();
        if (serverChannel != null) {
            endByServer(serverChannel);
        }
        outcome();
        formerServers.forEach(EmbeddedChannel::finishAndReleaseAll);
        for (ByteBuf packet : sent) {
            if (packet.refCnt() != 0) {
                throw new AssertionError("leaked " + packet);
            }
        }
    }

    // What the client does.

    void clientSends(ByteBuf... packets) {
        for (ByteBuf packet : packets) {
            PacketHeader.setSpid(packet, FOREIGN);
            sent.add(packet);
            boolean wasReading = clientChannel.config().isAutoRead();
            attempt(() -> client.channelRead(client.ctx(), packet));
            if (isImpossible()) {
                packet.release();
                return;
            }
            if (wasReading != clientChannel.config().isAutoRead()) {
                acts.add(wasReading ? "client is not read" : "client is read");
            }
        }
        client.channelReadComplete(client.ctx());
        ByteBuf last = packets[packets.length - 1];
        if (PacketHeader.LENGTH <= last.readableBytes()
                && last.refCnt() > 0
                && !clientChannel.outboundMessages().contains(last)
                && (serverChannel == null || !serverChannel.outboundMessages().contains(last))) {
            acts.add("held");
        }
    }

    /** Whether it reads what it is sent, as far as the channel can tell. */
    void clientReads(boolean on) {
        Objects.requireNonNull(clientChannel.unsafe().outboundBuffer()).setUserDefinedWritability(1, on);
        clientChannel.runPendingTasks();
    }

    /** Its connection is closed, and its handlers have not been told yet. */
    void clientTakesNoWrites() {
        clientChannel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                promise.setFailure(new ClosedChannelException());
            }
        });
    }

    /** Its connection was reset, which the proxy notices only when it flushes to it, before the flush returns. */
    void clientIsGoneOnFlush() {
        clientChannel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext ctx) {
                ctx.fireExceptionCaught(new IOException("Connection reset by peer"));
            }
        });
    }

    void clientSaysNothingMore() {
        clientChannel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    void clientIsGone() {
        clientChannel.close();
    }

    // What the bucket does.

    /** Gives the client a connection. */
    void attach(Given how) {
        attempt(() -> client.attached(give(how)));
    }

    void refuse() {
        host.waiting = false;
        attempt(() -> client.refused(Refusal.QUEUE_TIMEOUT));
    }

    void loseBeforeGiven() {
        attempt(client::lost);
    }

    void attachAtOnce(Given how) {
        host.atOnce = () -> client.attached(give(how));
    }

    void refuseAtOnce() {
        host.atOnce = () -> {
            host.waiting = false;
            client.refused(Refusal.QUEUE_FULL);
        };
    }

    /** Has something happen while the client is asking for a connection. */
    void whileAsking(Runnable event) {
        host.atOnce = event;
    }

    /** Has something happen while the client's request is handed over to its connection. */
    void whileGiven(Runnable event) {
        host.handedOver = event;
    }

    void pass(Duration time) {
        host.now += time.toNanos();
    }

    void leaseEnds() {
        host.leaseEnded = true;
    }

    void check(ClientLimits limits) {
        host.now += Duration.ofMinutes(1).toNanos();
        client.check(limits, host.now);
    }

    void leave() {
        client.leave("drained");
    }

    /** Time passes, and the bucket, which drains, looks at the client. */
    void departAfter(Duration time, DrainPace pace) {
        pass(time);
        client.depart("drained", pace, host.now);
    }

    void cutOff() {
        client.cutOff("told to");
    }

    void kill() {
        client.kill("told to");
    }

    // What the server does.

    /** Whether a client has the connection, or had it when it left. */
    boolean hasServer() {
        return server != null && !client.hold().isEmpty();
    }

    // What a server can't say to a client that has none: raised where the client would hear of it.

    void ownQuestionAnsweredBeforeAsked() {
        attempt(() -> client.answered(false));
    }

    void partOfAResponseWithoutServer() {
        ByteBuf packet = Requests.packet(PacketType.TABULAR_RESULT, 0, Unpooled.EMPTY_BUFFER);
        sent.add(packet);
        attempt(() -> client.forward(packet));
        if (isImpossible()) {
            packet.release();
        }
    }

    void responseEndedWithoutServer() {
        PooledServer none = new PooledServer(new NotingOwner(), host.connection(false), LoginResponses.accepted());
        attempt(() -> client.responseEnded(none));
    }

    void lossWithoutServer() {
        attempt(client::serverLost);
    }

    /** Whether what was raised last is known to be impossible. */
    boolean isImpossible() {
        return acts.contains(IMPOSSIBLE);
    }

    void serverSends(boolean last, ByteBuf... tokens) {
        ByteBuf packet = Requests.packet(
                PacketType.TABULAR_RESULT, last ? PacketHeader.STATUS_EOM : 0, Unpooled.wrappedBuffer(tokens));
        PacketHeader.setSpid(packet, FOREIGN);
        sent.add(packet);
        Objects.requireNonNull(serverChannel).pipeline().fireChannelRead(packet).fireChannelReadComplete();
    }

    void serverIsGone() {
        endByServer(Objects.requireNonNull(serverChannel));
    }

    /** As the network would: it passes no handler. */
    private static void endByServer(EmbeddedChannel channel) {
        channel.unsafe().close(channel.newPromise());
        channel.runPendingTasks();
    }

    void serverTakesNothing() {
        Objects.requireNonNull(Objects.requireNonNull(serverChannel).unsafe().outboundBuffer())
                .setUserDefinedWritability(1, false);
    }

    void serverMustBeAsked() {
        Objects.requireNonNull(server).session().habits(ServerHabits.ASKED_ALWAYS);
    }

    /** What kind of connection a client is given. */
    enum Given {
        /** Its session is as the client wants it. */
        FITTING,
        /** Another client had it, and its session is not as wanted. */
        USED,
        CLOSING,
        /** The client's request can't be sent on it. */
        BREAKING
    }

    private PooledServer give(Given how) {
        PooledServer given =
                new PooledServer(new NotingOwner(), host.connection(how == Given.USED), LoginResponses.accepted());
        EmbeddedChannel channel = new EmbeddedChannel(new HangUp(Duration.ZERO, () -> {}), given);
        given.session().habits(ServerHabits.TELLS);
        switch (how) {
            case FITTING -> {}
            case USED ->
                given.session()
                        .broughtInto(SessionState.AS_LOGGED_IN.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "SNAPSHOT"));
            case CLOSING -> given.close();
            case BREAKING -> host.breaks = true;
        }
        if (serverChannel != null) {
            formerServers.add(serverChannel);
        }
        server = given;
        serverChannel = channel;
        return given;
    }

    // Its words.

    private void attempt(Runnable event) {
        try {
            event.run();
        } catch (ProtocolException broken) {
            acts.add("ProtocolException");
            client.exceptionCaught(client.ctx(), broken);
        } catch (IllegalStateException impossible) {
            acts.add(IMPOSSIBLE);
        }
    }

    private void drain(EmbeddedChannel channel, String who) {
        for (ByteBuf packet = channel.readOutbound(); packet != null; packet = channel.readOutbound()) {
            if (packet.isReadable()) {
                acts.add(who + describe(packet));
            }
            packet.release();
        }
        if (!channel.isOpen()) {
            acts.add(channel == clientChannel ? "client is closed" : "server is closed");
        }
    }

    private static String describe(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        boolean foreign = PacketHeader.spid(packet) == FOREIGN;
        boolean reset = (PacketHeader.status(packet) & PacketHeader.STATUS_RESETCONNECTION) != 0;
        return switch (PacketHeader.type(packet)) {
            case PacketType.ATTENTION -> "attention";
            case PacketType.TABULAR_RESULT ->
                foreign ? (last ? "response" : "part of the response") : ownAnswer(packet);
            case PacketType.SQL_BATCH ->
                (foreign ? (last ? "request" : "part of the request") : "question") + (reset ? " with reset" : "");
            default -> PacketType.name(PacketHeader.type(packet));
        };
    }

    private static String ownAnswer(ByteBuf packet) {
        return ownAnswer(packet, packet.readerIndex() + PacketHeader.LENGTH);
    }

    private static String ownAnswer(ByteBuf packet, int at) {
        return switch (packet.getUnsignedByte(at)) {
            case TokenType.LOGINACK -> "login answer";
            case TokenType.ERROR -> "error " + packet.getIntLE(at + 3);
            case TokenType.ENVCHANGE ->
                "change " + packet.getUnsignedByte(at + 3) + " and "
                        + ownAnswer(packet, at + 3 + packet.getUnsignedShortLE(at + 1));
            case TokenType.DONE -> "DONE 0x" + Integer.toHexString(packet.getUnsignedShortLE(at + 1));
            default -> "token " + packet.getUnsignedByte(at);
        };
    }

    static ByteBuf tokens(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private final class NotingHost implements ConnectionBroker {
        private final PreparedTexts prepared = new PreparedTexts();
        private final OpenOrders opened = new OpenOrders();
        private final RelayCounters counters = new RelayCounters();
        private final SlowRequests slowRequests = new SlowRequests("one", news, counters);
        private final Bucket bucket =
                new Bucket("one", BucketSettings.DEFAULTS, opened, new LocalLeases(), new Random(1), (a, b) -> 0, 0);
        private final Pool pool = bucket.pool("pool", "sa");
        private boolean sessionMode;
        private boolean waiting;
        private boolean leaseEnded;
        private boolean breaks;
        private long now;
        private @Nullable Runnable atOnce;
        private @Nullable Runnable handedOver;

        private ServerConnection connection(boolean used) {
            waiting = false;
            Waiter before = new Waiter("before");
            bucket.request(before, pool, null, now);
            ServerConnection connection = opened.connections().getLast();
            bucket.connectionEvents().opened(connection, null, now);
            bucket.release(connection, null, now);
            bucket.request(used ? new Waiter("now") : before, pool, null, now);
            return connection;
        }

        @Override
        public String latestTerms(PooledClient client) {
            return LoginResponses.accepted().terms();
        }

        @Override
        public Waiter waiter(PooledClient who) {
            return new Waiter(who);
        }

        @Override
        public void acquire(PooledClient who) {
            acts.add("asks for a connection");
            waiting = true;
            Runnable answer = atOnce;
            if (answer != null) {
                atOnce = null;
                answer.run();
            }
        }

        @Override
        public boolean cancel(PooledClient who) {
            acts.add("leaves the queue");
            boolean was = waiting;
            waiting = false;
            return was;
        }

        @Override
        public boolean mayUse(PooledServer given) {
            return !leaseEnded;
        }

        @Override
        public void release(PooledServer given) {
            acts.add("released");
        }

        @Override
        public void releaseDirty(PooledServer given) {
            acts.add("released dirty");
        }

        @Override
        public void abandon(PooledServer given) {
            acts.add("abandoned");
            given.abandon();
        }

        @Override
        public void discard(PooledServer given) {
            acts.add("discarded");
            given.close();
        }

        @Override
        public void pin(PooledServer given, PinReason reason) {
            acts.add("kept for " + reason);
        }

        @Override
        public void pinOverdue(PooledClient who, String message) {
            acts.add("overdue");
        }

        @Override
        public void pinEnded(PooledClient who, String message) {}

        @Override
        public void unpin(PooledServer given) {
            acts.add("no longer kept");
        }

        @Override
        public void left(PooledClient who) {
            if (!acts.contains("left")) {
                acts.add("left");
            }
        }

        @Override
        public boolean isSessionMode() {
            return sessionMode;
        }

        @Override
        public PreparedTexts preparedTexts() {
            return prepared;
        }

        @Override
        public boolean pinsPrepared() {
            return false;
        }

        @Override
        public boolean keepsResults() {
            return false;
        }

        @Override
        public ProcedureRules procedures() {
            Runnable event = handedOver;
            if (event != null) {
                handedOver = null;
                event.run();
            }
            if (breaks) {
                throw new ProtocolException("no such request");
            }
            return ProcedureRules.SHARE;
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public RelayCounters counters() {
            return counters;
        }

        @Override
        public SlowRequests slowRequests() {
            return slowRequests;
        }

        @Override
        public String advice(Refusal why) {
            return "wait";
        }

        @Override
        public String timeoutAdvice() {
            return "ask for less";
        }
    }

    private final class NotingOwner implements ServerOwner {
        @Override
        public void serverBroken(PooledServer which) {
            acts.add("server is broken");
        }

        @Override
        public void serverClosed(PooledServer which) {}

        @Override
        public void abandonedEnded(PooledServer which) {
            acts.add("what was abandoned has ended");
        }

        @Override
        public long now() {
            return host.now;
        }

        @Override
        public RelayCounters counters() {
            return host.counters;
        }
    }
}

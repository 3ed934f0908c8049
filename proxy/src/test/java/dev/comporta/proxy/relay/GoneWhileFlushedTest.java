package dev.comporta.proxy.relay;

import static dev.comporta.proxy.relay.Requests.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.LoginResponses;
import dev.comporta.proxy.prepared.PreparedTexts;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.SlowRequests;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A client that has reset its connection is often noticed only when its response is flushed, while the server connection is
 * still in the middle of ending that response. The client's connection is given back once, and stays usable.
 */
class GoneWhileFlushedTest {
    private static final String DONE = "04 01 0015 0000 01 00 fd 0000 0000 0000000000000000";
    private static final String DONE_ERROR = "04 01 0015 0000 01 00 fd 0200 0000 0000000000000000";
    private static final String DONE_ATTENTION = "04 01 0015 0000 01 00 fd 2000 0000 0000000000000000";

    private final LoginResponse login = LoginResponses.accepted();
    private final PooledServer given = TestServer.connected(login);
    private final OneServer host = new OneServer(given);
    private final Network network = new Network();
    private final EmbeddedChannel server = new EmbeddedChannel(given);
    private PooledClient session;
    private EmbeddedChannel client;

    @BeforeEach
    void enter() {
        given.session().habits(ServerHabits.TELLS);
        session = new PooledClient(
                1, ClientIdentity.UNKNOWN, host, given.connection().pool(), login);
        client = new EmbeddedChannel(network, session);
        session.enter();
    }

    @AfterEach
    void stop() {
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }

    @Test
    void itsConnectionIsReset() {
        client.writeInbound(batch("SELECT 1"));
        network.isDown = true;
        server.writeInbound(packet(DONE));
        assertThat(host.done).containsExactly("releaseDirty");
        assertThat(server.isOpen()).as("no exception has closed it").isTrue();
    }

    @Test
    void itsConnectionIsDiscardedIfNobodyKnowsWhetherItWasReset() {
        ByteBuf request = batch("SELECT 1");
        PacketHeader.setStatus(request, PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        client.writeInbound(request, Requests.packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.buffer()));
        network.isDown = true;
        server.writeInbound(packet(DONE_ERROR), packet(DONE_ATTENTION));
        assertThat(host.done).containsExactly("discard");
        assertThat(server.isOpen()).as("no exception has closed it").isTrue();
    }

    @Test
    void itsConnectionIsResetIfItsRequestTookTooLong() {
        client.writeInbound(batch("SELECT 1"));
        timeOut();
        server.writeInbound(packet(DONE_ATTENTION));
        assertThat(host.done).containsExactly("releaseDirty");
        assertThat(server.isOpen()).as("no exception has closed it").isTrue();
    }

    @Test
    void itIsGoneIfItsServerIsLostAfterItsRequestTookTooLong() {
        client.writeInbound(batch("SELECT 1"));
        timeOut();
        server.close();
        assertThat(host.done).isEmpty();
        assertThat(client.isOpen()).isFalse();
        server.checkException();
    }

    private void timeOut() {
        session.check(
                new ClientLimits(
                        Duration.ZERO, Duration.ZERO, Duration.ofNanos(1), Duration.ZERO, Duration.ZERO, Duration.ZERO),
                1);
        network.isDown = true;
    }

    @Test
    void itsConnectionIsDiscardedIfTheServerAnsweredBeforeTheRequestWasComplete() {
        ByteBuf request = batch("SELECT 1");
        PacketHeader.setStatus(request, 0);
        client.writeInbound(request);
        while (host.attached == 0) {
            client.writeInbound(
                    Requests.packet(PacketType.SQL_BATCH, 0, Unpooled.buffer().writeZero(4000)));
        }
        network.isDown = true;
        server.writeInbound(packet(DONE));
        assertThat(host.done).containsExactly("discard");
        assertThat(server.isOpen()).as("no exception has closed it").isTrue();
    }

    private static ByteBuf packet(String hex) {
        return Unpooled.copiedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** What a client that is gone is sent fails when it is flushed, and its session is told before the flush returns. */
    private static final class Network extends ChannelOutboundHandlerAdapter {
        private boolean isDown;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (isDown) {
                ctx.fireExceptionCaught(new IOException("Connection reset by peer"));
            } else {
                ctx.flush();
            }
        }
    }

    private static final class OneServer implements ConnectionBroker {
        private final RelayCounters counters = new RelayCounters();

        private final List<String> done = new ArrayList<>();
        private final PreparedTexts prepared = new PreparedTexts();
        private int attached;
        private final PooledServer server;

        OneServer(PooledServer server) {
            this.server = server;
        }

        @Override
        public String latestTerms(PooledClient client) {
            return LoginResponses.accepted().terms();
        }

        @Override
        public Waiter waiter(PooledClient client) {
            return new Waiter(client);
        }

        @Override
        public void acquire(PooledClient client) {
            attached++;
            client.attached(server);
        }

        @Override
        public boolean cancel(PooledClient client) {
            return false;
        }

        @Override
        public boolean mayUse(PooledServer given) {
            return true;
        }

        @Override
        public void release(PooledServer given) {
            done.add("release");
        }

        @Override
        public void releaseDirty(PooledServer given) {
            done.add("releaseDirty");
        }

        @Override
        public void abandon(PooledServer given) {
            done.add("abandon");
        }

        @Override
        public void discard(PooledServer given) {
            done.add("discard");
        }

        @Override
        public void pin(PooledServer given, PinReason reason) {}

        @Override
        public void pinOverdue(PooledClient who, String message) {}

        @Override
        public void pinEnded(PooledClient who, String message) {}

        @Override
        public void unpin(PooledServer given) {}

        @Override
        public void left(PooledClient client) {}

        @Override
        public boolean isSessionMode() {
            return false;
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
            return ProcedureRules.SHARE;
        }

        @Override
        public RelayCounters counters() {
            return counters;
        }

        @Override
        public SlowRequests slowRequests() {
            return new SlowRequests("one", News.NONE, counters);
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public String advice(Refusal why) {
            return "";
        }

        @Override
        public String timeoutAdvice() {
            return "";
        }
    }
}

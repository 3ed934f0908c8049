package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.origin.AddressRange;
import dev.comporta.proxy.origin.AddressRules;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoginGateTest {
    private static final String FLOOD = "10.0.0.1";
    private static final String GOOD = "10.0.0.2";
    private static final String BALANCER = "10.0.0.3";

    private final List<Client> served = new ArrayList<>();
    private final RefusedConnections refused = new RefusedConnections();
    /** A machine that pauses between two connections must not decide whose grace ends first. */
    private long nanos;

    /** A connection that was accepted; registered when the gate has let it through. */
    private static final class Client extends EmbeddedChannel {
        private final SocketAddress from;

        Client(String address) {
            super(false, false, new ChannelInboundHandlerAdapter());
            from = new InetSocketAddress(address, 50_000);
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return from;
        }

        @Override
        public boolean isActive() {
            return isOpen() && isRegistered();
        }

        PendingLogin login() {
            return LoginGate.of(this);
        }
    }

    private EmbeddedChannel listener(LoginLimits limits) {
        return listener(limits, 0, EntranceRules.OPEN);
    }

    private EmbeddedChannel listener(LoginLimits limits, int maxSockets, EntranceRules rules) {
        SocketLimits all = new SocketLimits(
                0, 4096, 4096, 1024, 4096, limits, maxSockets, KeepAlive.DEFAULTS, Duration.ofMinutes(5));
        Guards guards = new Guards(all, new DefaultEventLoop(), refused, new CompletableFuture<>(), () -> nanos);
        return new EmbeddedChannel(
                new LoginGate(limits, guards, guards.entrance("main", rules)), new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
                        Client client = (Client) message;
                        client.register();
                        client.pipeline().addFirst(client.login());
                        served.add(client);
                    }
                });
    }

    private Client accept(EmbeddedChannel listener, String from) {
        Client client = new Client(from);
        listener.writeInbound(client);
        return client;
    }

    /** Lets time pass at the listener and at its clients. */
    private void pass(EmbeddedChannel listener, long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
        listener.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        listener.runPendingTasks();
        for (Client client : served) {
            client.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
            client.runPendingTasks();
        }
        listener.runPendingTasks();
    }

    private static boolean isAccepting(Channel listener) {
        return listener.config().isAutoRead();
    }

    private void passUntilAccepting(EmbeddedChannel listener) {
        for (int i = 0; i < 100 && !isAccepting(listener); i++) {
            pass(listener, 20);
        }
        assertThat(isAccepting(listener)).isTrue();
    }

    @Test
    void whenAllPlacesAreTakenThoseWithoutProgressMakeRoom() {
        EmbeddedChannel listener = listener(new LoginLimits(4, 0, 1 << 20));
        List<Client> flood = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            flood.add(accept(listener, FLOOD));
        }
        assertThat(isAccepting(listener)).isTrue();
        flood.add(accept(listener, FLOOD));
        assertThat(isAccepting(listener)).isFalse();

        passUntilAccepting(listener);
        assertThat(flood.getFirst().isOpen()).isFalse();
        assertThat(flood.getLast().isOpen()).isTrue();
    }

    @Test
    void aloneWithPlacesLeftNobodyIsCutOff() {
        EmbeddedChannel listener = listener(new LoginLimits(4, 0, 1 << 20));
        Client slow = accept(listener, GOOD);
        pass(listener, 10_000);
        assertThat(slow.isOpen()).isTrue();
    }

    @Test
    void theAddressWithTheMostLosesFirst() {
        EmbeddedChannel listener = listener(new LoginLimits(4, 0, 1 << 20));
        Client slow = accept(listener, GOOD);
        for (int i = 0; i < 3; i++) {
            accept(listener, FLOOD);
        }
        passUntilAccepting(listener);
        assertThat(slow.isOpen()).isTrue();
        assertThat(served.get(1).isOpen()).isFalse();
    }

    @Test
    void addressesOfOneIpv6NetworkAreOneCrowd() {
        EmbeddedChannel listener = listener(new LoginLimits(6, 0, 1 << 20));
        Client slow = accept(listener, GOOD);
        Client slower = accept(listener, GOOD);
        for (int i = 0; i < 4; i++) {
            accept(listener, "2001:db8::" + i);
        }
        passUntilAccepting(listener);
        assertThat(slow.isOpen()).isTrue();
        assertThat(slower.isOpen()).isTrue();
        assertThat(served.subList(2, 6)).anyMatch(client -> !client.isOpen());
    }

    @Test
    void handshakesOfOneIpv6NetworkTakeTurnsTogether() {
        EmbeddedChannel listener = listener(new LoginLimits(8, 0, 1 << 20));
        Client one = accept(listener, "2001:db8::1");
        HandshakeTurns turns = new HandshakeTurns(one.eventLoop(), () -> 0, 1);
        turns.open();
        List<String> begun = new ArrayList<>();
        for (String address : List.of("2001:db8::2", "2001:db8::3", "2001:db8::4", GOOD)) {
            Client client = accept(listener, address);
            client.login().takeTurnsIn(turns);
            client.login().beforeHandshake(() -> begun.add(address));
        }
        served.get(1).login().progressed();
        served.get(2).login().progressed();
        assertThat(begun).containsExactly("2001:db8::2", "2001:db8::3", GOOD);
    }

    @Test
    void aSmallCrowdIsSparedAlsoWhileTheLargeOneIsOnItsWayOut() {
        EmbeddedChannel listener = listener(new LoginLimits(4, 0, 1 << 20));
        Client slow = accept(listener, GOOD);
        for (int i = 0; i < 3; i++) {
            accept(listener, FLOOD);
        }
        // Their loop is so busy that it does not get to closing any of them.
        for (int i = 0; i < 35; i++) {
            nanos += TimeUnit.MILLISECONDS.toNanos(20);
            listener.advanceTimeBy(20, TimeUnit.MILLISECONDS);
            listener.runPendingTasks();
            slow.advanceTimeBy(20, TimeUnit.MILLISECONDS);
            slow.runPendingTasks();
        }
        assertThat(slow.isOpen()).isTrue();
        passUntilAccepting(listener);
        assertThat(slow.isOpen()).isTrue();
    }

    @Test
    void oneWhoseLoginGoesOnIsSpared() {
        EmbeddedChannel listener = listener(new LoginLimits(2, 0, 1 << 20));
        Client first = accept(listener, FLOOD);
        Client second = accept(listener, FLOOD);
        for (int i = 0; i < 100 && !isAccepting(listener); i++) {
            first.login().progressed();
            pass(listener, 20);
        }
        assertThat(first.isOpen()).isTrue();
        assertThat(second.isOpen()).isFalse();
    }

    @Test
    void oneThatHasLoggedInLeavesItsPlace() {
        EmbeddedChannel listener = listener(new LoginLimits(2, 0, 1 << 20));
        Client first = accept(listener, GOOD);
        accept(listener, GOOD);
        assertThat(isAccepting(listener)).isFalse();
        first.login().ended(0);
        listener.runPendingTasks();
        assertThat(isAccepting(listener)).isTrue();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void oneTooManyOfAnAddressClosesItsOldest() {
        EmbeddedChannel listener = listener(new LoginLimits(100, 2, 1 << 20));
        Client other = accept(listener, GOOD);
        Client oldest = accept(listener, FLOOD);
        Client second = accept(listener, FLOOD);
        Client third = accept(listener, FLOOD);
        pass(listener, 0);
        assertThat(oldest.isOpen()).isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
        assertThat(other.isOpen()).isTrue();
    }

    @Test
    void oneWithoutASocketToSpareIsClosedBeforeItIsServed() {
        EmbeddedChannel listener = listener(new LoginLimits(100, 0, 1 << 20), 1, EntranceRules.OPEN);
        Client first = accept(listener, GOOD);
        Client second = accept(listener, GOOD);
        assertThat(served).containsExactly(first);
        assertThat(second.isOpen()).isFalse();
        first.close();
        assertThat(accept(listener, GOOD).isOpen()).isTrue();
    }

    @Test
    void beyondTheBudgetWhoHoldsMoreThanItsShareIsCutOffAndOthersAreNot() {
        // The budget is 64 KB and the share 8 KB.
        LoginLimits limits = new LoginLimits(8, 0, 64 * 1024);
        EmbeddedChannel listener = listener(limits);
        Client greedy = accept(listener, FLOOD);
        Client modest = accept(listener, GOOD);
        ByteBuf much = Unpooled.wrappedBuffer(new byte[60 * 1024]);
        greedy.writeInbound(much);
        assertThat(greedy.isOpen()).isTrue();
        modest.writeInbound(Unpooled.wrappedBuffer(new byte[8 * 1024]));
        assertThat(modest.isOpen()).isTrue();
        ByteBuf more = Unpooled.wrappedBuffer(new byte[1]);
        greedy.writeInbound(more);
        assertThat(greedy.isOpen()).isFalse();
        assertThat(more.refCnt()).isZero();
        much.release();

        Client next = accept(listener, FLOOD);
        next.writeInbound(Unpooled.wrappedBuffer(new byte[50 * 1024]));
        assertThat(next.isOpen()).as("what the one cut off held was given back").isTrue();
        next.releaseInbound();
        modest.releaseInbound();
    }

    @Test
    void loginThatHasComeIsCountedUntilItIsJudged() {
        // The budget is 64 KB and the share 8 KB.
        EmbeddedChannel listener = listener(new LoginLimits(8, 0, 64 * 1024));
        Client letIn = accept(listener, GOOD);
        Client refusedLater = accept(listener, GOOD);
        List<PendingLogin> logins = List.of(letIn.login(), refusedLater.login());
        for (Client client : List.of(letIn, refusedLater)) {
            PendingLogin login = client.login();
            client.writeInbound(Unpooled.wrappedBuffer(new byte[30 * 1024]));
            login.ended(25 * 1024);
            client.releaseInbound();
        }
        assertThat(holds(listener, 15 * 1024)).isFalse();
        logins.getFirst().judged();
        assertThat(letIn.isOpen()).isTrue();
        assertThat(holds(listener, 35 * 1024)).isTrue();
        assertThat(holds(listener, 40 * 1024)).isFalse();
        letIn.close();
        assertThat(holds(listener, 40 * 1024)).as("it was given back before").isFalse();
        refusedLater.close();
        assertThat(holds(listener, 60 * 1024)).isTrue();
    }

    /** Whether a connection may hold so much now. It is gone afterwards. */
    private boolean holds(EmbeddedChannel listener, int bytes) {
        Client client = accept(listener, FLOOD);
        client.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
        boolean held = client.isOpen();
        client.releaseInbound();
        client.close();
        return held;
    }

    @Test
    void aReadIsSmallUntilTheLoginHasCome() {
        LoginReads reads = new LoginReads();
        var handle = reads.newHandle();
        for (int i = 0; i < 10; i++) { // each fills its buffer, so that the next is larger
            handle.reset(new EmbeddedChannel().config());
            ByteBuf buffer = handle.allocate(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT);
            assertThat(buffer.capacity()).isEqualTo(LoginReads.PIECE);
            handle.attemptedBytesRead(buffer.writableBytes());
            handle.lastBytesRead(buffer.writableBytes());
            handle.readComplete();
            buffer.release();
        }
        reads.ofAnySize();
        ByteBuf buffer = handle.allocate(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT);
        assertThat(buffer.capacity()).isGreaterThan(LoginReads.PIECE);
        buffer.release();
    }

    private static EntranceRules behind(String balancer, ProxyProtocol mode, AddressRules clients) {
        return new EntranceRules(mode, List.of(new AddressRange(InetAddress.ofLiteral(balancer), 32)), clients);
    }

    @Test
    void deniedAddressIsClosedBeforeItIsServedAndItsSocketIsFree() {
        AddressRules notFlood =
                new AddressRules(List.of(), List.of(new AddressRange(InetAddress.ofLiteral(FLOOD), 32)));
        EmbeddedChannel listener = listener(
                new LoginLimits(100, 0, 1 << 20), 1, new EntranceRules(ProxyProtocol.OFF, List.of(), notFlood));
        for (int i = 0; i < 10; i++) {
            assertThat(accept(listener, FLOOD).isOpen()).isFalse();
        }
        Client good = accept(listener, GOOD);
        assertThat(served).containsExactly(good);
        assertThat(refused.counts()).containsEntry("denied", 10L).containsEntry("no_file_descriptors", 0L);
    }

    @Test
    void whereAHeaderIsRequiredOnlyTrustedAddressesAreServed() {
        EmbeddedChannel listener = listener(
                new LoginLimits(100, 0, 1 << 20), 0, behind(BALANCER, ProxyProtocol.REQUIRED, AddressRules.EVERYBODY));
        assertThat(accept(listener, FLOOD).isOpen()).isFalse();
        Client balanced = accept(listener, BALANCER);
        assertThat(served).containsExactly(balanced);
        assertThat(refused.counts()).containsEntry("untrusted_source", 1L);
    }

    @Test
    void clientsOfALoadBalancerAreCountedByTheirOwnAddresses() {
        EmbeddedChannel listener = listener(
                new LoginLimits(100, 2, 1 << 20), 0, behind(BALANCER, ProxyProtocol.REQUIRED, AddressRules.EVERYBODY));
        List<Client> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(accept(listener, BALANCER));
        }
        pass(listener, 0);
        assertThat(all).allMatch(Client::isOpen);
        for (Client client : all.subList(0, 3)) {
            client.login().known(InetAddress.ofLiteral(FLOOD));
            pass(listener, 0);
        }
        all.get(3).login().known(InetAddress.ofLiteral(GOOD));
        pass(listener, 0);
        assertThat(all.stream().map(Client::isOpen)).containsExactly(false, true, true, true, true, true);
        assertThat(refused.counts()).containsEntry("too_many_pending_logins", 1L);
    }

    @Test
    void theAddressWithTheMostIsThatOfTheClientsAndNotOfTheirLoadBalancer() {
        EmbeddedChannel listener = listener(
                new LoginLimits(4, 0, 1 << 20), 0, behind(BALANCER, ProxyProtocol.REQUIRED, AddressRules.EVERYBODY));
        Client slow = accept(listener, BALANCER);
        slow.login().known(InetAddress.ofLiteral(GOOD));
        for (int i = 0; i < 3; i++) {
            accept(listener, BALANCER).login().known(InetAddress.ofLiteral(FLOOD));
        }
        listener.runPendingTasks();
        passUntilAccepting(listener);
        assertThat(slow.isOpen()).isTrue();
        assertThat(served.get(1).isOpen()).isFalse();
    }

    @Test
    void oneWhoseHandshakeWaitsForItsTurnIsSpared() {
        EmbeddedChannel listener = listener(new LoginLimits(2, 0, 1 << 20));
        Client first = accept(listener, FLOOD);
        Client second = accept(listener, FLOOD);
        HandshakeTurns none = new HandshakeTurns(first.eventLoop(), () -> 0, 1);
        none.open();
        assertThat(none.take(new HandshakeTurns.Turn(InetAddress.ofLiteral(GOOD), () -> {})))
                .isTrue();
        first.login().takeTurnsIn(none);
        first.login().beforeHandshake(() -> {});
        assertThat(first.config().isAutoRead()).isFalse();
        passUntilAccepting(listener);
        assertThat(first.isOpen()).isTrue();
        assertThat(second.isOpen()).isFalse();
    }
}

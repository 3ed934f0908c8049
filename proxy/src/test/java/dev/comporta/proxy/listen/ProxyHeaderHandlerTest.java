package dev.comporta.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.origin.AddressRange;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.testkit.LogLines;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderHandlerTest {
    private static final String BALANCER = "10.0.0.1";
    private static final String STRANGER = "192.0.2.66";
    private static final byte[] LINE = ascii("PROXY TCP4 198.51.100.5 203.0.113.7 33333 1433\r\n");
    private static final byte[] BINARY =
            ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a2111000cc6336405cb00710782350599");
    private static final byte[] LOCAL = ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a20000000");
    private static final byte[] PRELOGIN = {0x12, 0x01, 0x00, 0x2f};

    private final RefusedConnections refused = new RefusedConnections();
    private final List<InetAddress> known = new ArrayList<>();

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private final class Connection extends EmbeddedChannel {
        private final SocketAddress from;

        Connection(String from, Entrance entrance) {
            this.from = new InetSocketAddress(from, 50_000);
            boolean unknown = entrance.rules().isTrusted(InetAddress.ofLiteral(from));
            LoginLimits limits = new LoginLimits(8, 0, 1 << 20);
            PendingLogin pending = new PendingLogin(
                    this,
                    InetAddress.ofLiteral(from),
                    unknown,
                    new LoginBudget(limits, refused),
                    new LoginReads(),
                    () -> 0,
                    (_, address) -> known.add(address),
                    _ -> {});
            pipeline().addLast(pending, new ProxyHeaderHandler(entrance, pending));
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return from;
        }

        void send(byte[] bytes) {
            writeInbound(Unpooled.copiedBuffer(bytes));
        }

        /** What has come through. */
        byte[] through() {
            ByteBuf all = Unpooled.buffer();
            for (ByteBuf bytes = readInbound(); bytes != null; bytes = readInbound()) {
                all.writeBytes(bytes);
                bytes.release();
            }
            return ByteBufUtil.getBytes(all);
        }

        boolean isHeaderOver() {
            return pipeline().get(ProxyHeaderHandler.class) == null;
        }
    }

    private Entrance entrance(ProxyProtocol mode, AddressRules clients, int perAddress) {
        EntranceRules rules =
                new EntranceRules(mode, List.of(new AddressRange(InetAddress.ofLiteral(BALANCER), 32)), clients);
        return new Entrance("main", rules, new AddressPlaces(perAddress), refused);
    }

    private Connection connect(String from, ProxyProtocol mode) {
        return new Connection(from, entrance(mode, AddressRules.EVERYBODY, 0));
    }

    private long refused(String reason) {
        return refused.counts().get(reason);
    }

    private static List<byte[]> headers() {
        return List.of(LINE, BINARY);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProxyProtocol.class,
            names = {"OPTIONAL", "REQUIRED"})
    void headerIsTakenOffWhereverTheBytesAreCut(ProxyProtocol mode) {
        for (byte[] header : headers()) {
            byte[] all = ByteBufUtil.getBytes(Unpooled.wrappedBuffer(header, PRELOGIN));
            for (int cut = 1; cut < all.length; cut++) {
                Connection connection = connect(BALANCER, mode);
                connection.writeInbound(Unpooled.copiedBuffer(all, 0, cut));
                connection.writeInbound(Unpooled.copiedBuffer(all, cut, all.length - cut));
                assertThat(connection.through()).as("cut at %d", cut).isEqualTo(PRELOGIN);
                assertThat(ClientAddress.of(connection)).isEqualTo(new InetSocketAddress("198.51.100.5", 33_333));
                assertThat(connection.isHeaderOver()).isTrue();
                assertThat(known).hasSize(1).containsOnly(InetAddress.ofLiteral("198.51.100.5"));
                known.clear();
                connection.finishAndReleaseAll();
            }
        }
    }

    @Test
    void headerIsTakenOffByteByByte() {
        for (byte[] header : headers()) {
            Connection connection = connect(BALANCER, ProxyProtocol.REQUIRED);
            for (byte one : header) {
                assertThat(connection.isHeaderOver()).isFalse();
                connection.send(new byte[] {one});
            }
            assertThat(connection.isHeaderOver()).isTrue();
            connection.send(PRELOGIN);
            assertThat(connection.through()).isEqualTo(PRELOGIN);
        }
    }

    @Test
    void headerOfAStrangerIsNeverBelieved() {
        for (byte[] header : headers()) {
            for (int cut = 1; cut < header.length; cut++) {
                Connection connection = connect(STRANGER, ProxyProtocol.OPTIONAL);
                ByteBuf first = Unpooled.copiedBuffer(header, 0, cut);
                ByteBuf rest = Unpooled.copiedBuffer(header, cut, header.length - cut);
                connection.pipeline().fireChannelRead(first);
                if (connection.isOpen()) {
                    connection.pipeline().fireChannelRead(rest);
                } else {
                    rest.release();
                }
                assertThat(connection.isOpen()).isFalse();
                assertThat(connection.through()).isEmpty();
                assertThat(ClientAddress.ipOf(connection)).isEqualTo(InetAddress.ofLiteral(STRANGER));
                assertThat(first.refCnt() + rest.refCnt()).isZero();
            }
        }
        assertThat(refused("untrusted_proxy_header")).isEqualTo(LINE.length + BINARY.length - 2);
    }

    @Test
    void strangerWithoutAHeaderIsServedWhereItIsOptional() {
        Connection connection = connect(STRANGER, ProxyProtocol.OPTIONAL);
        connection.send(PRELOGIN);
        assertThat(connection.through()).isEqualTo(PRELOGIN);
        assertThat(connection.isHeaderOver()).isTrue();
    }

    @Test
    void loadBalancerWithoutAHeaderIsServedAsItselfWhereItIsOptional() {
        Connection connection = connect(BALANCER, ProxyProtocol.OPTIONAL);
        connection.send(PRELOGIN);
        assertThat(connection.through()).isEqualTo(PRELOGIN);
        assertThat(known).containsExactly(InetAddress.ofLiteral(BALANCER));
    }

    @Test
    void loadBalancerWithoutAHeaderIsRefusedWhereItIsRequired() {
        Connection connection = connect(BALANCER, ProxyProtocol.REQUIRED);
        ByteBuf prelogin = Unpooled.copiedBuffer(PRELOGIN);
        connection.pipeline().fireChannelRead(prelogin);
        assertThat(connection.isOpen()).isFalse();
        assertThat(prelogin.refCnt()).isZero();
        assertThat(refused("missing_proxy_header")).isOne();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 here there 1 2\r\n",
                "PROXY UNKNOWN                                        "
                        + "                                                                                  "
            })
    void headerThatIsNoneEndsTheConnection(String header) {
        Connection connection = connect(BALANCER, ProxyProtocol.REQUIRED);
        connection.send(ascii(header));
        assertThat(connection.isOpen()).isFalse();
        assertThat(refused("bad_proxy_header")).isOne();
    }

    @Test
    void headerThatSaysThatItIsLargeEndsTheConnectionBeforeItHasCome() {
        Connection connection = connect(BALANCER, ProxyProtocol.REQUIRED);
        byte[] large = BINARY.clone();
        large[14] = (byte) 0xff;
        connection.writeInbound(Unpooled.copiedBuffer(large, 0, 16));
        assertThat(connection.isOpen()).isFalse();
        assertThat(refused("bad_proxy_header")).isOne();
    }

    @Test
    void loadBalancerThatLooksWhetherSomebodyListensIsNotNoticed() {
        try (LogLines lines = new LogLines(RefusedConnections.class)) {
            AddressRules others =
                    new AddressRules(List.of(new AddressRange(InetAddress.ofLiteral("198.51.100.0"), 24)), List.of());
            for (byte[] said : List.of(LOCAL, new byte[0], ascii("PRO"))) {
                Connection connection = new Connection(BALANCER, entrance(ProxyProtocol.REQUIRED, others, 0));
                connection.send(said);
                assertThat(connection.isOpen()).isTrue();
                connection.close();
                assertThat(connection.through()).isEmpty();
            }
            assertThat(refused.counts().values()).containsOnly(0L);
            assertThat(lines.lines()).isEmpty();
        }
    }

    @Test
    void loadBalancerThatSpeaksForItselfIsServedAsItselfIfItMay() {
        Connection connection = connect(BALANCER, ProxyProtocol.REQUIRED);
        connection.send(LOCAL);
        connection.send(PRELOGIN);
        assertThat(connection.through()).isEqualTo(PRELOGIN);
        assertThat(known).containsExactly(InetAddress.ofLiteral(BALANCER));

        AddressRules not = new AddressRules(List.of(), List.of(new AddressRange(InetAddress.ofLiteral(BALANCER), 32)));
        Connection denied = new Connection(BALANCER, entrance(ProxyProtocol.REQUIRED, not, 0));
        denied.send(LOCAL);
        denied.send(PRELOGIN);
        assertThat(denied.isOpen()).isFalse();
        assertThat(refused("denied")).isOne();
    }

    @Test
    void clientIsJudgedByTheAddressThatTheHeaderTells() {
        AddressRules not =
                new AddressRules(List.of(), List.of(new AddressRange(InetAddress.ofLiteral("198.51.100.0"), 24)));
        Connection denied = new Connection(BALANCER, entrance(ProxyProtocol.REQUIRED, not, 0));
        denied.send(LINE);
        assertThat(denied.isOpen()).isFalse();
        assertThat(refused("denied")).isOne();
        assertThat(known).isEmpty();
    }

    @Test
    void connectionsOfAnAddressAreCountedByTheAddressThatTheHeaderTells() {
        Entrance two = entrance(ProxyProtocol.REQUIRED, AddressRules.EVERYBODY, 2);
        Connection first = new Connection(BALANCER, two);
        first.send(LINE);
        Connection second = new Connection(BALANCER, two);
        second.send(BINARY);
        Connection third = new Connection(BALANCER, two);
        third.send(LINE);
        assertThat(List.of(first.isOpen(), second.isOpen(), third.isOpen())).containsExactly(true, true, false);
        Connection other = new Connection(BALANCER, two);
        other.send(ascii("PROXY TCP4 198.51.100.6 203.0.113.7 33333 1433\r\n"));
        assertThat(other.isOpen()).isTrue();
        assertThat(refused("too_many_from_address")).isOne();
        first.close();
        Connection fourth = new Connection(BALANCER, two);
        fourth.send(LINE);
        assertThat(fourth.isOpen()).isTrue();
        List.of(second, fourth, other).forEach(EmbeddedChannel::close);
        assertThat(two.places().size()).isZero();
    }

    @Test
    void aFloodIsLoggedInAFewLines() {
        try (LogLines lines = new LogLines(RefusedConnections.class)) {
            for (int i = 0; i < 1000; i++) {
                connect(STRANGER, ProxyProtocol.OPTIONAL).send(LINE);
            }
            assertThat(refused("untrusted_proxy_header")).isEqualTo(1000);
            assertThat(lines.lines().stream().filter(line -> line.contains(STRANGER)))
                    .hasSizeBetween(1, 3);
        }
    }
}

package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that send their clients elsewhere at login: clients would go past the proxy, so they never hear of it. */
@Timeout(60)
class RoutingTest {
    private static final String ELSEWHERE = "replica.example:1444";
    private static final TokenWriter TOKENS = new TokenWriter(TdsVersion.V7_4);

    @Test
    void aClientThatSharesIsToldWhichHostTheBucketShouldHave() throws Exception {
        try (MarsServer server = new MarsServer(true, List.of(letInElsewhere()));
                Proxy proxy = proxy(server, PoolMode.TRANSACTION);
                RawClient client = new RawClient(proxy.port())) {
            client.prelogin(false);
            client.sendLogin();
            refused(client.response());
            nothingIsLeft(proxy, server);
        }
    }

    @Test
    void soIsAClientWithAConnectionOfItsOwn() throws Exception {
        try (MarsServer server = new MarsServer(true, List.of(letInElsewhere()));
                Proxy proxy = proxy(server, PoolMode.SESSION);
                RawClient client = new RawClient(proxy.port())) {
            client.prelogin(true);
            client.sendLogin();
            refused(client.response());
            nothingIsLeft(proxy, server);
        }
    }

    /** With the feature that mssql-jdbc and SqlClient ask for, a server may also name another database. */
    @ParameterizedTest
    @EnumSource
    void aRouteToAnotherDatabaseIsNotPassedOnEither(PoolMode mode) throws Exception {
        ByteBuf answer = Unpooled.buffer();
        TOKENS.loginAck(answer, "Microsoft SQL Server", 16, 0, 1000);
        TOKENS.enhancedRouting(answer, "replica.example", 1444, "AppDB_reader");
        TOKENS.done(answer, DoneStatus.FINAL, 0, 0);
        try (MarsServer server = new MarsServer(true, List.of(answer));
                Proxy proxy = proxy(server, mode);
                RawClient client = new RawClient(proxy.port())) {
            client.prelogin(mode == PoolMode.SESSION);
            client.sendLogin();
            ByteBuf heard = client.response();
            refused(heard);
            assertThat(text(heard)).contains("AppDB_reader");
            nothingIsLeft(proxy, server);
        }
    }

    /** Drivers keep the name, and connect to the partner when the proxy takes long to answer. */
    @Test
    void aClientThatSharesIsNotToldOfAMirroringPartner() throws Exception {
        ByteBuf answer = Unpooled.buffer();
        TOKENS.envChange(answer, EnvChange.DATABASE, "AppDB", "master");
        TOKENS.envChange(answer, EnvChange.MIRRORING_PARTNER, "replica.example", "");
        TOKENS.loginAck(answer, "Microsoft SQL Server", 16, 0, 1000);
        TOKENS.done(answer, DoneStatus.FINAL, 0, 0);
        try (MarsServer server = new MarsServer(true, List.of(answer));
                Proxy proxy = proxy(server, PoolMode.TRANSACTION);
                RawClient client = new RawClient(proxy.port())) {
            client.prelogin(false);
            client.sendLogin();
            assertThat(client.tokens())
                    .hasSize(3)
                    .anyMatch(token -> token.contains("AppDB"))
                    .noneMatch(token -> token.contains("replica"))
                    .last()
                    .asString()
                    .startsWith("DONE 0x0");
        }
    }

    @Test
    void whereTheAnswerIsOutInPartTheClientIsHungUpOn() throws Exception {
        ByteBuf first = Unpooled.buffer();
        TOKENS.loginAck(first, "Microsoft SQL Server", 16, 0, 1000);
        try (MarsServer server = new MarsServer(true, List.of(first, elsewhere()));
                Proxy proxy = proxy(server, PoolMode.SESSION);
                RawClient client = new RawClient(proxy.port())) {
            client.prelogin(true);
            client.sendLogin();
            byte[] heard = client.read(Integer.MAX_VALUE);
            assertThat(text(Unpooled.wrappedBuffer(heard)))
                    .as("its first part is out")
                    .contains("SQL Server");
            assertThat(text(Unpooled.wrappedBuffer(heard))).doesNotContain("replica");
            nothingIsLeft(proxy, server);
        }
    }

    private static Proxy proxy(MarsServer server, PoolMode mode) throws Exception {
        return ProxyFixture.startProxy(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                mode,
                TransactionTracking.ENVCHANGE,
                settings -> settings.maxConnections(2).minIdle(0));
    }

    private static ByteBuf letInElsewhere() {
        ByteBuf login = Unpooled.buffer();
        TOKENS.loginAck(login, "Microsoft SQL Server", 16, 0, 1000);
        return login.writeBytes(elsewhere());
    }

    private static ByteBuf elsewhere() {
        ByteBuf tokens = Unpooled.buffer();
        TOKENS.routing(tokens, "replica.example", 1444);
        TOKENS.done(tokens, DoneStatus.FINAL, 0, 0);
        return tokens;
    }

    private static void refused(ByteBuf answer) {
        assertThat(answer.getUnsignedByte(0)).isEqualTo((short) 0xAA);
        assertThat(answer.getIntLE(3)).isEqualTo(50003);
        assertThat(text(answer)).contains(ELSEWHERE);
    }

    private static String text(ByteBuf answer) {
        return new String(ByteBufUtil.getBytes(answer), StandardCharsets.UTF_16LE)
                + new String(
                        ByteBufUtil.getBytes(answer, 1, Math.max(0, answer.readableBytes() - 1)),
                        StandardCharsets.UTF_16LE);
    }

    private static void nothingIsLeft(Proxy proxy, MarsServer server) {
        await().untilAsserted(() -> {
            assertThat(proxy.glance("one").clients()).isZero();
            assertThat(proxy.glance("one").pool().connections()).isEmpty();
            assertThat(server.sessions).hasValue(0);
        });
    }
}

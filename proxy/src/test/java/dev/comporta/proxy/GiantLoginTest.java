package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.listen.EntranceRules;
import dev.comporta.proxy.listen.LoginLimits;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.EndlessServer;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A LOGIN7 of a stranger, as large as it may be, and made to cost as much as it can. */
@Timeout(60)
class GiantLoginTest {
    private static final int CHARACTERS = 60_000;
    /** Where LOGIN7 says where the name of its user is. */
    private static final int USER_NAME = 40;

    @Test
    void aNameThatTakesSecondsToNormalizeIsNotNormalized() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(8);
                RawClient client = RawClient.loggedIn(fixture.proxy.port());
                RawClient stranger = new RawClient(fixture.proxy.port())) {
            stranger.send(PacketType.LOGIN7, 0, login());
            assertThat(stranger.readToEnd())
                    .as("the answer, of the server or the proxy")
                    .isEmpty();
            assertThat(client.answerTo("SELECT 1")).isNotEmpty();
            assertThat(fixture.server.counters().failedLogins()).isZero();
        }
    }

    @Test
    void loginsThatNobodyHasJudgedYetHoldNoMoreThanPendingOnes() throws Exception {
        // The share of one is 16 KB.
        LoginLimits limits = new LoginLimits(8, 0, 128 * 1024);
        try (ProxyFixture fixture = ProxyFixture.start(EntranceRules.OPEN, limits, EntryRules.DEFAULTS);
                RawClient first = new RawClient(fixture.proxy.port());
                RawClient second = new RawClient(fixture.proxy.port());
                RawClient tooMuch = new RawClient(fixture.proxy.port());
                RawClient modest = new RawClient(fixture.proxy.port());
                RawClient alsoLater = new RawClient(fixture.proxy.port());
                RawClient later = new RawClient(fixture.proxy.port())) {
            fixture.server.misbehave(Misbehaviour.NONE.withStopReading(true));
            first.sendLogin(GiantLoginTest::large);
            await().until(() -> fixture.proxy.glance("one").logins() == 1);
            second.sendLogin(login -> alone(large(login)));
            await().until(() -> fixture.proxy.clients().join().size() == 1);
            try {
                tooMuch.sendLogin(GiantLoginTest::large);
            } catch (UncheckedIOException cutOff) {
                // While it was still sending.
            }
            assertThat(tooMuch.isHungUpOn()).isTrue();
            modest.sendLogin();
            fixture.server.misbehave(Misbehaviour.NONE);
            for (RawClient letIn : List.of(first, modest)) {
                assertThat(letIn.tokens()).anyMatch(token -> token.startsWith("LOGINACK"));
            }
            assertThat(second.errorNumber())
                    .as("the stand-in changes no password")
                    .isEqualTo(18456);
            alsoLater.sendLogin(GiantLoginTest::large);
            later.sendLogin(GiantLoginTest::large);
            for (RawClient letIn : List.of(alsoLater, later)) {
                assertThat(letIn.tokens()).anyMatch(token -> token.startsWith("LOGINACK"));
            }
        }
    }

    @Test
    void loginOfAClientWithAConnectionOfItsOwnIsNotCountedOnceItIsLetIn() throws Exception {
        SocketLimits usual = SocketLimits.DEFAULTS;
        SocketLimits limits = new SocketLimits(
                usual.maxClients(),
                usual.packetSize(),
                usual.loginSize(),
                usual.lowWatermark(),
                usual.highWatermark(),
                new LoginLimits(8, 0, 128 * 1024),
                usual.maxSockets(),
                usual.keepAlive(),
                usual.closeTimeout());
        try (EndlessServer server = new EndlessServer(1);
                Proxy proxy = ProxyFixture.startProxy(
                        ProxyFixture.bucket(
                                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                                PoolMode.TRANSACTION,
                                TransactionTracking.AUTO,
                                ClientLimits.NONE,
                                settings -> settings.maxConnections(8).minIdle(0)),
                        limits);
                RawClient first = new RawClient(proxy.port());
                RawClient second = new RawClient(proxy.port());
                RawClient third = new RawClient(proxy.port())) {
            for (RawClient client : List.of(first, second, third)) {
                client.sendLogin(login -> large(login)
                        .optionFlags2(Login7.FLAG2_INTEGRATED_SECURITY)
                        .sspi(Secret.ofText("it is me")));
                assertThat(client.tokens()).anyMatch(token -> token.startsWith("LOGINACK"));
            }
        }
    }

    private static Login7Builder large(Login7Builder login) {
        return login.userName(RawClient.USER)
                .password(Secret.ofText(RawClient.PASSWORD))
                .features(List.of(new FeatureExtension(0x42, new byte[50 * 1024])));
    }

    /** With a server connection that it shares with nobody, as all have who change their password. */
    private static Login7Builder alone(Login7Builder login) {
        return login.optionFlags3(Login7.FLAG3_CHANGE_PASSWORD).changePassword(Secret.ofText(RawClient.PASSWORD));
    }

    /** Marks that are to be sorted, all those of one kind behind all those of another: its time grows as their square. */
    private static ByteBuf login() {
        String name = "\u0301".repeat(CHARACTERS / 2) + "\u0316".repeat(CHARACTERS / 2);
        byte[] bytes = name.getBytes(StandardCharsets.UTF_16LE);
        // In a feature, behind all fields: a field behind the name could not be pointed at.
        ByteBuf login = RawClient.login(to ->
                to.userName("x").password(Secret.ofText("wrong")).features(List.of(new FeatureExtension(0x42, bytes))));
        int at = login.readableBytes() - 1 - bytes.length;
        return login.setShortLE(USER_NAME, at).setShortLE(USER_NAME + 2, CHARACTERS);
    }
}

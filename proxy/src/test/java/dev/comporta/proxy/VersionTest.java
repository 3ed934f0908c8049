package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.WireFormat;
import dev.comporta.tds.token.walk.TokenWalker;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Versions of TDS that are refused, and servers that speak an older one than their clients. */
@Timeout(60)
class VersionTest {
    private ProxyFixture fixture;

    @AfterEach
    void stop() {
        fixture.close();
    }

    private void start(TdsVersion serverVersion) throws IOException {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.newestVersion(serverVersion),
                settings -> settings.maxConnections(2).minIdle(0));
    }

    /** Walks a response in the form of one version, to its last byte. */
    private static List<String> walk(ByteBuf response, TdsVersion version) {
        List<String> told = new ArrayList<>();
        TokenSink sink = new TokenSink() {
            @Override
            public boolean error(int number, int state, int severity) {
                told.add("error " + number);
                return true;
            }

            @Override
            public void messageText(String text, String server, String procedure, int line) {
                told.add(text);
            }

            @Override
            public void loginAcknowledged(TdsVersion acknowledged, String program, int programVersion) {
                told.add("login " + acknowledged.number());
            }

            @Override
            public void resultSet() {
                told.add("result set");
            }

            @Override
            public void endOfResponse() {
                told.add("end");
            }
        };
        new TokenWalker(new WireFormat(version), sink)
                .walk(response, response.readerIndex(), response.writerIndex(), true);
        return told;
    }

    @Test
    void aClientOf70IsToldWhatToDoAndNoServerIsDialled() throws Exception {
        start(TdsVersion.V8_0);
        try (RawClient client = new RawClient(fixture.proxy.port())) {
            client.sendLogin(TdsVersion.V7_0, ProxyFixture.PASSWORD);
            assertThat(walk(client.response(), TdsVersion.V7_0))
                    .containsExactly(
                            "error 18456",
                            "Login failed: TDS 7.0 is not supported: configure the driver for TDS 7.1 or later.",
                            "end");
            assertThat(client.isHungUpOn()).isTrue();
        }
        assertThat(fixture.server.counters().connections()).isZero();
    }

    @Test
    void jtdsOf70IsToldSo() throws Exception {
        start(TdsVersion.V8_0);
        assertThatThrownBy(() -> fixture.connectJtds("tds=7.0"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("TDS 7.0 is not supported");
        assertThat(fixture.server.counters().connections()).isZero();
        fixture.connectJtds("tds=8.0").close();
    }

    @Test
    void aServerThatIsOlderThanItsClientIsReadInItsOwnForm() throws Exception {
        start(TdsVersion.V7_1);
        for (int i = 0; i < 3; i++) {
            try (RawClient client = new RawClient(fixture.proxy.port())) {
                client.sendLogin(TdsVersion.V7_4, ProxyFixture.PASSWORD);
                assertThat(walk(client.response(), TdsVersion.V7_1)).contains("login 7.1", "end");
                client.packet(
                        PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, RawClient.batch("SELECT 1", TdsVersion.V7_1));
                assertThat(walk(client.response(), TdsVersion.V7_1)).containsExactly("result set", "end");
            }
        }
    }

    @Test
    void aRejectionOfAnOlderServerReachesItsClient() throws Exception {
        start(TdsVersion.V7_1);
        try (RawClient client = new RawClient(fixture.proxy.port())) {
            client.sendLogin(TdsVersion.V7_4, "wrong");
            assertThat(walk(client.response(), TdsVersion.V7_1))
                    .contains("error 18456", "Login failed for user '" + ProxyFixture.USER + "'.", "end");
        }
    }

    @Test
    void aServerThatIsTooOldIsRefusedInPlainWords() throws Exception {
        start(TdsVersion.V7_0);
        try (RawClient client = new RawClient(fixture.proxy.port())) {
            client.sendLogin(TdsVersion.V7_4, ProxyFixture.PASSWORD);
            assertThat(walk(client.response(), TdsVersion.V7_4))
                    .startsWith("error 50003")
                    .anyMatch(text -> text.contains("TDS 7.0"))
                    .contains("end");
        }
    }
}

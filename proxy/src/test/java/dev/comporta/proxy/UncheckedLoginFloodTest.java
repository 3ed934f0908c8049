package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One address sends more logins at once than a bucket lets wait for the server's judgement. */
@Timeout(120)
class UncheckedLoginFloodTest {
    /** As many as may wait. */
    private static final int PLACES = 1000;

    private final List<RawClient> flood = new ArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (RawClient client : flood) {
            client.close();
        }
    }

    @Test
    void wrongLoginsOfOneAddressKeepNoOtherAddressOut() throws Exception {
        keepsNoOtherAddressOut(login -> login);
    }

    @Test
    void norDoThoseThatChangeTheirPassword() throws Exception {
        keepsNoOtherAddressOut(
                login -> login.optionFlags3(Login7.FLAG3_CHANGE_PASSWORD).changePassword(Secret.ofText("changed")));
    }

    private void keepsNoOtherAddressOut(UnaryOperator<Login7Builder> kind) throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(8)) {
            int port = fixture.proxy.port();
            fixture.server.misbehave(Misbehaviour.NONE.withStopReading(true));
            for (int i = 0; i < PLACES + 100; i++) {
                String user = "guess " + i;
                RawClient client = from(2, port);
                flood.add(client);
                client.sendLogin(login -> kind.apply(login.userName(user).password(Secret.ofText("wrong"))));
            }
            await().until(() -> fixture.proxy.glance("one").logins()
                            + fixture.proxy.clients().join().size()
                    >= PLACES);
            try (RawClient other = from(3, port)) {
                other.sendLogin();
                fixture.server.misbehave(Misbehaviour.NONE);
                assertThat(other.tokens()).anyMatch(token -> token.startsWith("LOGINACK"));
            }
        }
    }

    private static RawClient from(int address, int port) throws IOException {
        return RawClient.from(InetAddress.getByAddress(new byte[] {127, 2, 0, (byte) address}), port);
    }
}

package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One address has as many delayed logins as a bucket keeps at the same time. */
@Timeout(120)
class DelayedLoginFloodTest {
    /** As many as a bucket delays at the same time. */
    private static final int FLOOD = 1024;
    /** After these, the next login of the user waits for four seconds. */
    private static final int GUESSES = 5;

    private static final int LOGIN_FAILED = 18_456;

    @Test
    void oneAddressDoesNotTakeThePlacesOfOthers() throws Exception {
        List<RawClient> flood = new ArrayList<>();
        try (ProxyFixture fixture = ProxyFixture.start(4)) {
            int port = fixture.proxy.port();
            failAtOnce(port);
            for (int i = 0; i < FLOOD; i++) {
                flood.add(guess(port, 2));
            }
            try (RawClient other = guess(port, 3)) {
                assertThat(other.errorNumber())
                        .as("it has waited for its turn, and the server has judged it")
                        .isEqualTo(LOGIN_FAILED);
            }
        } finally {
            for (RawClient client : flood) {
                client.close();
            }
        }
    }

    /** Each from an address of its own, and before the first has failed: so none is delayed. */
    private static void failAtOnce(int port) throws IOException {
        List<RawClient> guesses = new ArrayList<>();
        for (int i = 0; i < GUESSES; i++) {
            guesses.add(guess(port, 100 + i));
        }
        for (RawClient guess : guesses) {
            assertThat(guess.errorNumber()).isEqualTo(LOGIN_FAILED);
            guess.close();
        }
    }

    private static RawClient guess(int port, int address) throws IOException {
        RawClient client = RawClient.from(InetAddress.getByAddress(new byte[] {127, 2, 0, (byte) address}), port);
        client.sendLogin(login -> login.userName("eve").password(Secret.ofText("guess from " + address)));
        return client;
    }
}

package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.TdsVersion;
import dev.comporta.testkit.RawClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody guesses the password of a user whose clients have the right one. */
@Timeout(60)
class GuessedUserTest {
    /** The next one waits for four seconds. */
    private static final int GUESSES = 5;

    @Test
    void whoseSecretTheServerHasAcceptedBeforeDoesNotWaitForTheGuessesOfOthers() throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                        .start();
                Proxy proxy = ProxyFixture.startProxy(askingEachTime(server));
                RawClient before = RawClient.loggedIn(proxy.port())) {
            for (int i = 0; i < GUESSES; i++) {
                try (RawClient stranger = guess(proxy, i)) {
                    assertThat(stranger.errorNumber()).isEqualTo(18456);
                }
            }
            // A machine that pauses for as long as a guess waits shows nothing: then it is seen with the next.
            boolean letInFirst = false;
            for (int i = GUESSES; i < GUESSES + 3 && !letInFirst; i++) {
                letInFirst = isLetInBeforeAGuess(server, proxy, i);
            }
            assertThat(letInFirst)
                    .as("the guess that came before it still waits")
                    .isTrue();
            assertThat(before.answerTo("SELECT 1")).isNotEmpty();
        }
    }

    private static boolean isLetInBeforeAGuess(Standin server, Proxy proxy, int number) throws Exception {
        long judged = server.counters().failedLogins();
        try (RawClient stranger = guess(proxy, number);
                RawClient client = RawClient.loggedIn(proxy.port())) {
            boolean stillWaits = server.counters().failedLogins() == judged;
            assertThat(client.answerTo("SELECT 1")).isNotEmpty();
            assertThat(stranger.errorNumber()).isEqualTo(18456);
            return stillWaits;
        }
    }

    @Test
    void secretThatTheServerNoLongerAcceptsWaitsAsAGuessDoes() throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                        .start();
                Proxy proxy = ProxyFixture.startProxy(askingEachTime(server));
                RawClient before = RawClient.loggedIn(proxy.port())) {
            server.misbehave(Misbehaviour.NONE.withRefuseLogins(true));
            long began = System.nanoTime();
            for (int i = 0; i < 4; i++) {
                try (RawClient old = new RawClient(proxy.port())) {
                    old.sendLogin();
                    assertThat(old.errorNumber()).isEqualTo(18456);
                }
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("none, 250 ms, 500 ms and a second")
                    .isGreaterThanOrEqualTo(Duration.ofMillis(1750));
            assertThat(before.answerTo("SELECT 1")).isNotEmpty();
        }
    }

    private static RawClient guess(Proxy proxy, int number) throws Exception {
        RawClient stranger = new RawClient(proxy.port());
        stranger.sendLogin(TdsVersion.V7_4, "guess " + number);
        return stranger;
    }

    private static BucketSpec askingEachTime(Standin server) {
        return ProxyFixture.bucket(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                BucketSpec.PoolMode.TRANSACTION,
                BucketSpec.TransactionTracking.AUTO,
                ClientLimits.NONE,
                "SELECT 1",
                Duration.ZERO,
                settings -> settings.maxConnections(8).minIdle(0));
    }
}

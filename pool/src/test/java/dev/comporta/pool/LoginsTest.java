package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.state.ConnectionState;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoginsTest {
    @Test
    void loginAtItsLimitWaitsWithoutHoldingUpOthers() {
        Carrier c = new Carrier(limit(3).logins(new LoginSettings(1, false, Map.of())));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("ana");
        c.ask("eve");
        assertThat(c.orders()).isEmpty();
        c.ask("bob", other);
        assertThat(c.orders()).containsExactly("open 2 q");
        c.release(1);
        assertThat(c.orders()).containsExactly("attach eve 1");
    }

    @Test
    void loginAtItsLimitMakesRoomForItsOtherPool() {
        Carrier c = new Carrier(limit(3).logins(new LoginSettings(1, false, Map.of())));
        Pool profile = c.bucket.pool("p2", "ana");
        c.attached("ana");
        c.ask("eve", profile);
        c.release(1);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 p2");
    }

    @Test
    void loginsShareByWeightWhenAskedTo() {
        Carrier c =
                new Carrier(limit(1).logins(new LoginSettings(0, true, Map.of("ana", new LoginSettings.Rule(0, 2)))));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("first");
        for (int i = 1; i <= 6; i++) {
            c.ask("flood" + i, other);
        }
        for (int i = 1; i <= 4; i++) {
            c.ask("a" + i);
        }
        StringBuilder served = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            serveNext(c, served);
        }
        assertThat(served.toString().trim()).isEqualTo("a1 a2 flood1 a3 a4 flood2 flood3 flood4 flood5 flood6");
    }

    private static void serveNext(Carrier c, StringBuilder served) {
        for (long id = 1; id < 20; id++) {
            ServerConnection connection = c.connection(id);
            if (connection != null && connection.state() == ConnectionState.ATTACHED) {
                c.release(id);
            }
        }
        for (long id = 1; id < 20; id++) {
            ServerConnection connection = c.connection(id);
            if (connection != null && connection.state() == ConnectionState.CLOSING) {
                c.closed(id);
            }
        }
        c.openAll();
        c.orders().stream()
                .filter(o -> o.startsWith("attach"))
                .forEach(o -> served.append(o.split(" ")[1]).append(' '));
    }

    @Test
    void loginWhoseFloodLeftUnservedStartsAnewInTheTurns() {
        Carrier c = new Carrier(limit(1).logins(new LoginSettings(0, true, Map.of())));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("first");
        for (int i = 1; i <= 9; i++) {
            c.ask("flood" + i, other);
        }
        for (int i = 1; i <= 9; i++) {
            c.bucket.cancel(c.waiter("flood" + i), c.now);
        }
        c.ask("b", other);
        for (int i = 1; i <= 4; i++) {
            c.ask("a" + i);
        }
        StringBuilder served = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            serveNext(c, served);
        }
        assertThat(served.toString().trim()).isEqualTo("a1 b a2 a3 a4");
    }
}

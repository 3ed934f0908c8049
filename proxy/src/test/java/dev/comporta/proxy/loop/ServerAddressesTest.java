package dev.comporta.proxy.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.ServerDial.Server;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {
    private static final Server A = new Server("a", 1433, "a");
    private static final Server B = new Server("b", 1433, "b");
    private static final Server C = new Server("c", 1500, "c");

    private static final InetAddress ONE = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress TWO = InetAddress.ofLiteral("10.0.0.2");

    private final ServerAddresses servers = new ServerAddresses("one", List.of(A, B, C));

    @Test
    void serversAreTriedInTheirOrder() {
        assertThat(servers.inOrder()).containsExactly(A, B, C);
        assertThat(servers.shown()).isEqualTo("a:1433");
    }

    @Test
    void oneThatLetAConnectionInIsUsedAndThenAllFromTheFirstOn() {
        servers.works(C, ONE);
        assertThat(servers.inOrder()).containsExactly(C, A, B);
        assertThat(servers.shown()).isEqualTo("c:1500 (10.0.0.1)");
    }

    @Test
    void oneThatTookAConnectionAndSaidNothingIsTriedLast() {
        servers.isSilent(A);
        assertThat(servers.inOrder()).containsExactly(B, C, A);
        servers.works(A, ONE);
        assertThat(servers.inOrder()).containsExactly(A, B, C);
    }

    @Test
    void addressThatAnsweredLastIsTriedFirstWhileTheNameLeadsThere() {
        servers.works(A, TWO);
        assertThat(servers.inOrder(List.of(ONE, TWO))).containsExactly(TWO, ONE);
        assertThat(servers.inOrder(List.of(ONE))).containsExactly(ONE);
    }

    @Test
    void operatorWhoReconnectsGetsTheFirstOne() {
        servers.works(C, ONE);
        servers.startOver();
        assertThat(servers.inOrder()).containsExactly(A, B, C);
    }
}

package dev.comporta.proxy.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.TdsVersion;
import org.junit.jupiter.api.Test;

class ClientIdentitiesTest {
    private final ClientIdentities identities = new ClientIdentities();

    private static ClientIdentity of(String application) {
        return new ClientIdentity("sa", "AppDB", application, "desk", TdsVersion.V7_4, false);
    }

    @Test
    void equalClientsShareOneObjectUntilTheLastHasLeft() {
        ClientIdentity first = identities.take(of("one"));
        ClientIdentity second = identities.take(of("one"));
        identities.take(of("two"));
        assertThat(second).isSameAs(first);
        assertThat(identities.size()).isEqualTo(2);
        identities.giveBack(second);
        assertThat(identities.size()).as("the first is still there").isEqualTo(2);
        identities.giveBack(first);
        assertThat(identities.size()).isEqualTo(1);
    }
}

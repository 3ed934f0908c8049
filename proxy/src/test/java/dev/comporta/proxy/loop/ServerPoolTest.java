package dev.comporta.proxy.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.NoProgress;
import dev.comporta.proxy.relay.OpenOrders;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Login7Builder;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerPoolTest {
    private static final Login7 LOGIN = new Login7Builder().userName("sa").build();

    private final ServerPool pool = new ServerPool(
            new BucketRunner(
                    "one",
                    BucketSettings.DEFAULTS,
                    new EmbeddedChannel().eventLoop(),
                    () -> 0,
                    new OpenOrders(),
                    LeaseSource.LOCAL,
                    new Random(1),
                    (client, session) -> 0),
            LOGIN,
            "sa",
            false);

    private ClientHello await() {
        ClientHello client = new ClientHello(new EmbeddedChannel(), LOGIN, false, false, new NoProgress());
        pool.await(client);
        return client;
    }

    /** Each holds its LOGIN7, and nothing limits how many come and go while a slow server checks the first. */
    @Test
    void clientsThatHaveDisconnectedAreNotKeptUntilTheServerHasAnswered() {
        List<ClientHello> patient = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            ClientHello client = await();
            if (i % 100 == 0) {
                patient.add(client);
            } else {
                client.channel().close();
            }
        }
        assertThat(pool.isAwaited()).isTrue();
        assertThat(pool.takeUndecided()).hasSizeLessThan(100).containsAll(patient);
        assertThat(pool.isAwaited()).isFalse();
    }
}

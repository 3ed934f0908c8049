package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Standin;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.Jdbc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of connections that never log in, against a small process, with clients beside them that do. */
@Timeout(90)
class LoginFloodTest {
    /** Each with 106 KB or with nothing at all: the former alone are as much as the process has memory for. */
    private static final int FLOOD = Integer.getInteger("comporta.flood", 5_000);

    private static final int UNFINISHED = 106 * 1024;
    private static final int PACKET = 4096;
    private static final Duration SERVED = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** That of the driver, too. */
    private static final String SHARED_ADDRESS = "127.0.0.1";

    @TempDir
    private Path directory;

    private final Queue<SocketChannel> flood = new ConcurrentLinkedQueue<>();
    private final Queue<Duration> served = new ConcurrentLinkedQueue<>();
    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.9", SHARED_ADDRESS})
    void clientsAreServedWhileConnectionsThatNeverLogInPourIn(String from) throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                ChildProxy proxy = ChildProxy.start(
                        directory,
                        server,
                        "ulimit -n $(ulimit -Hn)",
                        List.of("-Xmx256m"),
                        "limits: {max_pending_logins: 1000}",
                        "max_connections: 4, trust_server_certificate: true")) {
            ask(proxy, from); // the first takes its time to load classes, here and there
            served.clear();
            for (int i = 0; i < 5; i++) {
                ask(proxy, from);
            }
            Duration quiet = median();
            served.clear();
            Thread first = pour(proxy, from, 0);
            Thread second = pour(proxy, from, 1);
            while (first.isAlive() || second.isAlive()) {
                ask(proxy, from);
            }
            for (int i = 0; i < 10; i++) {
                ask(proxy, from);
            }
            assertThat(failures).isEmpty();
            assertThat(proxy.process.isAlive()).isTrue();
            assertThat(Http.get(proxy.healthPort, "/health/live").statusCode()).isEqualTo(200);
            assertThat(Http.get(proxy.healthPort, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(proxy.log()).doesNotContain("OutOf").contains("proxy.limits.");
            // The machine that runs the tests may be busy with others, so not each of them, and compared with before.
            Duration most = Collections.max(List.of(SERVED, quiet.multipliedBy(20)));
            assertThat(median()).as("%s; %s before the flood", served, quiet).isLessThan(most);
        } finally {
            for (SocketChannel one : flood) {
                one.close();
            }
        }
    }

    private Duration median() {
        List<Duration> times = served.stream().sorted().toList();
        return times.get(times.size() / 2);
    }

    /**
     * Serves a client, from its first attempt on. A client at the flood's own address may be reset if a step of its login
     * takes more than 250 ms, as on a busy machine: it connects again then. Elsewhere a reset is a failure.
     */
    private void ask(ChildProxy proxy, String floodFrom) {
        long began = System.nanoTime();
        while (true) {
            try (Connection client = DriverManager.getConnection(
                    proxy.url("loginTimeout=30;connectRetryCount=5;connectRetryInterval=1"))) {
                assertThat(Jdbc.ask(client, "SELECT 1")).isEqualTo("1");
                served.add(Duration.ofNanos(System.nanoTime() - began));
                return;
            } catch (SQLException e) {
                boolean mayBeReset =
                        floodFrom.equals(SHARED_ADDRESS) && String.valueOf(e).contains("Connection reset");
                if (!mayBeReset || System.nanoTime() - began > PATIENCE.toNanos()) {
                    failures.add(e);
                    return;
                }
            }
        }
    }

    private Thread pour(ChildProxy proxy, String from, int which) {
        return Thread.ofPlatform().start(() -> {
            for (int i = 0; i < FLOOD / 2; i++) {
                try {
                    flood.add(knock(proxy.port, from, i % 2 == which));
                } catch (IOException cutOff) {
                    // That is how it ends for most of them.
                }
            }
        });
    }

    private static SocketChannel knock(int port, String from, boolean silent) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            channel.connect(new InetSocketAddress("127.0.0.1", port));
            channel.configureBlocking(false);
            if (!silent) {
                channel.write(unfinishedLogin());
            }
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static ByteBuffer unfinishedLogin() {
        ByteBuffer bytes = ByteBuffer.allocate(UNFINISHED);
        while (bytes.remaining() >= PACKET) {
            bytes.put((byte) PacketType.LOGIN7).put((byte) 0).putShort((short) PACKET);
            bytes.position(bytes.position() + PACKET - 4);
        }
        return bytes.flip();
    }
}

package dev.comporta.jdbc.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerEndTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ServerEnd end = new ServerEnd();

    /** As a driver that connects on a thread of its own. */
    private Socket connect(ServerSocket to) throws Exception {
        CompletableFuture<Socket> made = new CompletableFuture<>();
        end.watch(() -> {
            Thread connecting = Thread.ofPlatform().start(() -> {
                try {
                    made.complete(new WatchedSocketFactory().createSocket(to.getInetAddress(), to.getLocalPort()));
                } catch (Exception e) {
                    made.completeExceptionally(e);
                }
            });
            try {
                assertThat(connecting.join(PATIENCE)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return null;
        });
        return made.get();
    }

    private static CompletableFuture<Void> close(Socket socket) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        socket.close();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                Thread::startVirtualThread);
    }

    @Test
    void closingReturnsWhenTheServerHasClosedItsSideAndNotBefore() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket session = server.accept()) {
            end.waitForServer();
            CompletableFuture<Void> closed = close(client);
            assertThat(session.getInputStream().read()).isEqualTo(-1); // it has said goodbye
            session.getOutputStream().write(new byte[10_000]); // the server is not done
            assertThat(closed).isNotDone();
            assertThat(client.isClosed()).isFalse();
            close(session).get(2, TimeUnit.MINUTES);
            closed.get(2, TimeUnit.MINUTES);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void closingWaitsForNobodyUnlessItIsToldTo() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket session = server.accept()) {
            close(client).get(15, TimeUnit.SECONDS); // one that waited would take 30
            assertThat(client.isClosed()).isTrue();
            assertThat(session.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void theWaitCanBeGivenUp() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket session = server.accept()) {
            end.waitForServer();
            CompletableFuture<Void> closed = close(client);
            assertThat(session.getInputStream().read()).isEqualTo(-1);
            end.giveUp();
            closed.get(15, TimeUnit.SECONDS); // by itself it would wait for 30
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** As a driver does whose read has timed out. */
    private static void giveUpReading(Socket client) throws Exception {
        client.setSoTimeout(1);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        close(client).get(2, TimeUnit.MINUTES);
    }

    @Test
    void aServerThatWorksOnAfterItsDriverGaveUpIsWaitedFor() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket session = server.accept()) {
            end.established();
            giveUpReading(client);
            assertThat(session.getInputStream().read()).isEqualTo(-1); // it is told
            CompletableFuture<Void> ended = CompletableFuture.runAsync(end::waitForServer, Thread::startVirtualThread);
            session.getOutputStream().write(new byte[10_000]); // and works on
            assertThat(ended).isNotDone();
            close(session).get(2, TimeUnit.MINUTES);
            ended.get(2, TimeUnit.MINUTES);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void thatWaitCanBeGivenUpToo() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket _ = server.accept()) {
            end.established();
            giveUpReading(client);
            CompletableFuture<Void> ended = CompletableFuture.runAsync(end::waitForServer, Thread::startVirtualThread);
            end.giveUp();
            ended.get(15, TimeUnit.SECONDS);
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** The Java runtime closes the socket of a virtual thread that is interrupted while it reads. */
    @Test
    void aServerThatWorksOnAfterItsClientWasInterruptedIsWaitedFor() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket session = server.accept()) {
            end.established();
            CompletableFuture<String> reading = new CompletableFuture<>();
            Thread reader = Thread.startVirtualThread(() -> {
                try {
                    reading.complete("read " + client.getInputStream().read());
                } catch (IOException e) {
                    close(client).join(); // as a driver does
                    reading.complete(String.valueOf(e.getMessage()));
                }
            });
            reader.interrupt();
            assertThat(reading.get(2, TimeUnit.MINUTES)).isEqualTo("Closed by interrupt");
            assertThat(client.isClosed()).isFalse();
            assertThat(session.getInputStream().read()).isEqualTo(-1);
            CompletableFuture<Void> ended = CompletableFuture.runAsync(end::waitForServer, Thread::startVirtualThread);
            close(session).get(2, TimeUnit.MINUTES);
            ended.get(2, TimeUnit.MINUTES);
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** Nobody would wait for it. */
    @Test
    void aConnectionThatDoesNotComeAboutIsClosedAtOnce() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket _ = server.accept()) {
            giveUpReading(client);
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** A driver's thread that was started while it connected has inherited the connection's mark. */
    @Test
    void aSocketThatIsMadeLaterIsNotOfThisConnection() throws Exception {
        CompletableFuture<Socket> later = new CompletableFuture<>();
        CompletableFuture<Void> connected = new CompletableFuture<>();
        end.watch(() -> {
            Thread.startVirtualThread(() -> {
                connected.join();
                later.complete(new WatchedSocketFactory().createSocket());
            });
            return null;
        });
        connected.complete(null);
        assertThat(later.get(2, TimeUnit.MINUTES).getClass()).isEqualTo(Socket.class);
        assertThat(new WatchedSocketFactory().createSocket().getClass()).isEqualTo(Socket.class);
    }
}

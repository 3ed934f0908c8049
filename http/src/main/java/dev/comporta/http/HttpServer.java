package dev.comporta.http;

import dev.comporta.ops.http.HttpHandler;
import dev.comporta.tls.HttpTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Listens on ports, all served by one event loop of its own: so a busy data plane does not delay HTTP, nor HTTP the data
 * plane. For any thread but an event loop.
 */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 128;
    /** The time for responses that are under way when the server closes. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private record Open(Channel channel, HttpPort port) {}

    /** NIO: some dozens of connections need nothing faster, and it works with any kernel and processor. */
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());

    /** Guarded by this. */
    private final List<Open> ports = new ArrayList<>();

    /**
     * Listens on another port.
     *
     * @param tls called for each connection; absent for HTTP without TLS
     * @return the port, which the system chooses if 0 was given
     */
    public synchronized int listen(
            InetSocketAddress address, HttpHandler handler, HttpLimits limits, Optional<Supplier<HttpTls>> tls)
            throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("can't listen on " + address.getHostString() + ":" + address.getPort()
                    + " for HTTP: there is no such host name");
        }
        HttpPort port = new HttpPort(handler, limits, tls);
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(port)
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "can't listen on " + address + " for HTTP: " + bound.cause().getMessage(), bound.cause());
        }
        ports.add(new Open(bound.channel(), port));
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /** Stops listening, waits a moment for responses that are under way, and disconnects all callers. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // they are awaited, and closing can't fail in a way that matters
    public synchronized void close() {
        if (loop.isShuttingDown()) {
            return;
        }
        List<CompletableFuture<Void>> gone = new ArrayList<>();
        for (Open open : ports) {
            open.channel().close().awaitUninterruptibly();
            CompletableFuture<Void> left = new CompletableFuture<>();
            gone.add(left);
            loop.execute(() -> open.port().callers().close().thenRun(() -> left.complete(null)));
        }
        try {
            CompletableFuture.allOf(gone.toArray(CompletableFuture[]::new))
                    .get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            ports.forEach(open -> loop.execute(open.port().callers()::cutOff));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // can't happen: nothing completes it exceptionally
        }
        loop.shutdownGracefully(0, FAREWELL.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}

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
 * Listens on ports, all served by one event loop of its own: it answers however busy the data plane is, and never delays
 * it. For any thread but an event loop.
 */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 128;
    /** For the answers that are under way when it is closed. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private record Open(Channel channel, HttpPort port) {}

    /** NIO: some dozens of connections need nothing faster, and it is there whatever the kernel and the processor are. */
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());

    /** Guarded by this. */
    private final List<Open> ports = new ArrayList<>();

    /**
     * Listens on one more port.
     *
     * @param tls asked for each connection; absent for HTTP in the clear
     * @return the port: of interest where any free one was asked for
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

    /** Stops listening, lets the answers that are under way be sent, for a moment, and disconnects all others. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // they are waited for, and closing can't fail in a way that matters
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
            throw new IllegalStateException(e); // nothing completes it so
        }
        loop.shutdownGracefully(0, FAREWELL.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}

package dev.comporta.proxy;

import dev.comporta.proxy.attach.BucketLoop;
import dev.comporta.proxy.attach.BucketSpec;
import dev.comporta.proxy.listen.Listener;
import dev.comporta.proxy.listen.LoopMove;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.login.LoginReply;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.tds.login.Login7;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The data plane of one instance: a listener, event loops, and a bucket on each of them. */
public final class Proxy implements AutoCloseable {
    /** Decides which bucket a client belongs to. */
    @FunctionalInterface
    public interface Routing {
        /** The bucket's id; null when there is none for this login. */
        @Nullable
        String bucketFor(Login7 login);
    }

    /**
     * @param eventLoops 0 for one per core
     * @param tls asked for each client
     */
    public record Settings(
            InetSocketAddress address,
            int eventLoops,
            Transport transport,
            Supplier<ClientTls> tls,
            Duration loginTimeout) {}

    private final EventLoopGroup loops;
    private final Map<String, BucketLoop> buckets = new TreeMap<>();
    private final Routing routing;
    private final Listener listener;

    private Proxy(Settings settings, List<BucketSpec> specs, Routing routing) throws IOException {
        this.routing = routing;
        int threads = settings.eventLoops() == 0 ? Runtime.getRuntime().availableProcessors() : settings.eventLoops();
        loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("loop"), settings.transport().ioHandlers());
        try {
            for (BucketSpec spec : specs) {
                EventLoop loop = loops.next();
                buckets.put(spec.id(), BucketLoop.on(loop, spec, settings.transport()));
            }
            listener = Listener.bind(
                    settings.address(),
                    loops,
                    settings.transport(),
                    settings.tls(),
                    settings.loginTimeout(),
                    this::arrived);
        } catch (IOException | RuntimeException e) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
            throw e;
        }
    }

    public static Proxy start(Settings settings, List<BucketSpec> buckets, Routing routing) throws IOException {
        return new Proxy(settings, buckets, routing);
    }

    public int port() {
        return listener.port();
    }

    private void arrived(ClientHello client) {
        String id = routing.bucketFor(client.login());
        BucketLoop bucket = id == null ? null : buckets.get(id);
        if (bucket == null) {
            LoginReply.refuse(
                    client,
                    ProxyError.NO_ROUTE,
                    "no bucket serves database '%s' at server '%s'. Correct the connection's database, or add it to a bucket's databases."
                            .formatted(client.login().database(), client.login().serverName()));
            return;
        }
        LoopMove.move(client.channel(), bucket.loop(), () -> bucket.admission().admit(client));
    }

    /** Stops at once: clients are cut off, and their transactions rolled back by the servers. */
    @Override
    public void close() {
        listener.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}

package dev.comporta.http;

import dev.comporta.ops.http.HttpHandler;
import dev.comporta.tls.HttpTls;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import java.util.function.Supplier;

/** Sets up each connection to a port. Confined to the event loop. */
final class HttpPort extends ChannelInitializer<SocketChannel> {
    private final HttpHandler handler;
    private final HttpLimits limits;
    private final Optional<Supplier<HttpTls>> tls;
    private final Callers callers;

    HttpPort(HttpHandler handler, HttpLimits limits, Optional<Supplier<HttpTls>> tls) {
        this.handler = handler;
        this.limits = limits;
        this.tls = tls;
        callers = new Callers(limits.connections(), limits.streams().most());
    }

    Callers callers() {
        return callers;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        HttpCaller caller = new HttpCaller(callers, handler, limits);
        ChannelPipeline pipeline = channel.pipeline();
        tls.ifPresent(current -> pipeline.addLast(encrypted(channel, current.get())));
        pipeline.addLast(
                new RequestBytes(caller),
                new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(limits.headBytes())
                        .setMaxHeaderSize(limits.headBytes())
                        .setStrictLineParsing(true)),
                new WholeRequests(limits.bodyBytes(), caller),
                new FlowControlHandler(), // passes pipelined requests on one at a time
                caller);
    }

    private SslHandler encrypted(Channel channel, HttpTls current) {
        SslHandler handler = current.context().newHandler(channel.alloc());
        handler.setHandshakeTimeoutMillis(limits.request().toMillis());
        return handler;
    }
}

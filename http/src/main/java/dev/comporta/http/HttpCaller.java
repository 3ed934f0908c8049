package dev.comporta.http;

import dev.comporta.ops.http.HttpHandler;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's connection: request, response, and so on until it closes. Confined to the event loop, except that requests are
 * handled on virtual threads. Nothing is read while a response is made, so a caller that sends more waits.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: channelInactive follows
final class HttpCaller extends SimpleChannelInboundHandler<FullHttpRequest> {
    private enum State {
        /** Nothing of the next request has come. */
        IDLE,
        /** A part of the next request has come. */
        RECEIVING,
        /** A virtual thread makes the response. */
        ANSWERING,
        /** The caller reads the response. */
        SENDING,
        /** The caller reads a stream; anything that it sends is ignored. */
        STREAMING,
        /** The response was sent, and the connection is about to close: the rest of the request is read and dropped. */
        LINGERING,
        CLOSED
    }

    private static final Logger log = LoggerFactory.getLogger(HttpCaller.class);

    private final Callers callers;
    private final HttpHandler handler;
    private final HttpLimits limits;
    private final RequestReading reading;
    private State state = State.IDLE;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Future<?> timer;
    /** Runs when the reader of a stream is gone. */
    private Runnable whenGone = () -> {};

    HttpCaller(Callers callers, HttpHandler handler, HttpLimits limits) {
        this.callers = callers;
        this.handler = handler;
        this.limits = limits;
        reading = new RequestReading(limits);
    }

    /** Whether received bytes may belong to a request. */
    boolean acceptsRequests() {
        return state != State.LINGERING && state != State.STREAMING;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
    }

    private ChannelHandlerContext ctx() {
        return Objects.requireNonNull(ctx, "it is in a pipeline");
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        if (callers.admit(this)) {
            awaitRequest();
        } else if (active.pipeline().get(SslHandler.class) != null) {
            cutOff(); // a refusal would need a TLS handshake, which a caller beyond the limit does not get
        } else {
            state = State.CLOSED; // without lingering: there may be any number of callers beyond the limit
            HttpResponse full = HttpResponse.refusal(503, "too many HTTP connections. Try again in a second.")
                    .with("Retry-After", "1");
            active.writeAndFlush(message(full, false)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Waits for the next request, which may have come already. */
    private void awaitRequest() {
        state = State.IDLE;
        callers.waits(this);
        within(limits.idle(), this::cutOff);
        ctx().read();
        if (state == State.IDLE && ((SocketChannel) ctx().channel()).isInputShutdown()) {
            cutOff(); // no further request can come
        }
    }

    /** Called for each received part of a request. */
    void beginsToSend() {
        if (state == State.IDLE) {
            state = State.RECEIVING;
            within(limits.request(), () -> refuse(408, "the request did not come in time."));
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext from, FullHttpRequest request) {
        if (state != State.IDLE && state != State.RECEIVING) {
            return;
        }
        callers.serves(this);
        cancelTimer();
        boolean another =
                HttpUtil.isKeepAlive(request) && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        switch (reading.read(request, from.channel())) {
            case RequestReading.Result.Refused(int status, String why) -> refuse(status, why);
            case RequestReading.Result.Complete(HttpRequest complete) -> {
                state = State.ANSWERING;
                Thread.ofVirtual().name("http").start(() -> answer(complete, another));
            }
        }
    }

    /** Runs on the virtual thread. */
    private void answer(HttpRequest request, boolean another) {
        HttpResponse response;
        try {
            response = handler.handle(request);
        } catch (Throwable e) { // an Error too: otherwise the caller would wait for ever
            log.error("HTTP request for {} failed with an internal error", request.path(), e);
            response = HttpResponse.refusal(500, "internal error; see the instance's log.");
        }
        HttpResponse made = response;
        try {
            ctx().executor().execute(() -> {
                if (state == State.ANSWERING) {
                    begin(made, request, another);
                }
            });
        } catch (RejectedExecutionException stopped) {
            log.debug("{} was answered after the server stopped", request.path());
        }
    }

    /** Refuses a request that is malformed, too large or too slow, and closes the connection. */
    void refuse(int status, String why) {
        if (state == State.IDLE || state == State.RECEIVING) {
            callers.serves(this);
            send(HttpResponse.refusal(status, why), false);
        }
    }

    private void begin(HttpResponse response, HttpRequest request, boolean another) {
        if (response.stream().isEmpty() || request.method().equals("HEAD")) {
            send(response, another);
        } else if (callers.streams(this)) {
            stream(response, response.stream().get());
        } else {
            send(
                    HttpResponse.refusal(503, "too many open streams. Try again in 10 seconds.")
                            .with("Retry-After", "10"),
                    another);
        }
    }

    /** Without a length, so that it ends where the connection ends: HTTP/1.0 knows no other way. */
    private void stream(HttpResponse response, HttpStream stream) {
        state = State.STREAMING;
        within(limits.streams().life(), this::endStream);
        ctx().channel().config().setAutoRead(true); // to detect that it closes
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(response));
        setHeaders(head, response, false);
        ctx().writeAndFlush(head);
        whenGone = stream.open(new StreamReader(ctx(), this, limits.streams().pendingBytes()));
    }

    /** Disconnects a reader that has not read what was sent. */
    void tooSlow() {
        log.debug("HTTP stream of {} ended: reader too slow", ctx().channel().remoteAddress());
        cutOff();
    }

    void endStream() {
        if (state == State.STREAMING) {
            leaveStream();
            state = State.SENDING;
            within(limits.response(), this::cutOff);
            ctx().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(written -> {
                if (state == State.SENDING) {
                    linger();
                }
            });
        }
    }

    private void leaveStream() {
        Runnable gone = whenGone;
        whenGone = () -> {};
        gone.run();
    }

    private void send(HttpResponse response, boolean wanted) {
        state = State.SENDING;
        callers.takes(this);
        boolean another = wanted && !callers.isClosing();
        within(limits.response(), this::cutOff);
        ctx().writeAndFlush(message(response, another)).addListener(written -> {
            if (state != State.SENDING) {
                return;
            }
            if (!written.isSuccess()) {
                cutOff();
            } else if (another && !callers.isClosing()) {
                awaitRequest();
            } else {
                linger();
            }
        });
    }

    private static FullHttpResponse message(HttpResponse response, boolean another) {
        FullHttpResponse message = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status(response), Unpooled.wrappedBuffer(response.body()));
        message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
        setHeaders(message, response, another);
        return message;
    }

    private static HttpResponseStatus status(HttpResponse response) {
        return new HttpResponseStatus(response.status(), HttpResponse.reason(response.status()));
    }

    private static void setHeaders(HttpMessage message, HttpResponse response, boolean another) {
        message.headers()
                .set(
                        HttpHeaderNames.DATE,
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)))
                .set(HttpHeaderNames.CONTENT_TYPE, response.contentType())
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .set(HttpHeaderNames.CONNECTION, another ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        response.headers().forEach((name, value) -> message.headers().set(name, value));
    }

    /** Closing a connection with unread bytes resets it, and the reset can overtake the response: so the bytes are read first. */
    private void linger() {
        state = State.LINGERING;
        callers.lingers(this);
        within(limits.linger(), this::cutOff);
        SocketChannel channel = (SocketChannel) ctx().channel();
        SslHandler tls = ctx().pipeline().get(SslHandler.class);
        if (tls == null) {
            shutDownOutput(channel);
        } else {
            tls.closeOutbound().addListener(_ -> shutDownOutput(channel));
        }
        channel.config().setAutoRead(true);
    }

    private void shutDownOutput(SocketChannel channel) {
        channel.shutdownOutput().addListener(shut -> {
            if (!shut.isSuccess()) {
                cutOff();
            }
        });
    }

    /** Reads on while a request is incomplete. */
    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        if (state == State.IDLE || state == State.RECEIVING) {
            from.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            switch (state) {
                case IDLE, RECEIVING, STREAMING, LINGERING -> cutOff();
                case ANSWERING, SENDING, CLOSED -> {} // it sends nothing more, but may still read the response
            }
        }
        from.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        cutOff();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        // Not worth a warning: callers may disconnect at any time, or speak to an encrypted port without TLS.
        log.debug("HTTP connection of {} ended: {}", from.channel().remoteAddress(), cause.toString());
        cutOff();
    }

    void cutOff() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            cancelTimer();
            callers.left(this);
            leaveStream();
            ctx().close();
        }
    }

    private void within(Duration time, Runnable otherwise) {
        cancelTimer();
        timer = ctx().executor().schedule(otherwise, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}

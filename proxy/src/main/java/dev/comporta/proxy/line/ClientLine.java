package dev.comporta.proxy.line;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The network side of a client past its login, and the ways to close it. Confined to its bucket's loop. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public abstract class ClientLine extends ChannelInboundHandlerAdapter {
    /** More than a slow network needs for the bytes that wait here; a client that never reads is closed after it. */
    private static final int MOST_SECONDS_TO_TELL = 30;

    private static final Logger log = LoggerFactory.getLogger(ClientLine.class);

    private final long id;
    private final ClientIdentity identity;
    private @Nullable ChannelHandlerContext context;
    private long requests;
    private long bytesReceived;
    private long bytesSent;

    /** @param id unique among all clients that this instance has, or had */
    protected ClientLine(long id, ClientIdentity identity) {
        this.id = id;
        this.identity = identity;
    }

    /** The names that the client gave at its login. */
    public final ClientIdentity identity() {
        return identity;
    }

    /** The number by which the operator refers to it. */
    public final long id() {
        return id;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        // Otherwise Netty would close the channel at the client's FIN, and drop what is still to be written to it.
        ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    public final ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }

    /** Takes bytes for the client. */
    public final void write(ByteBuf bytes) {
        bytesSent += bytes.readableBytes();
        ctx().write(bytes, ctx().voidPromise());
    }

    public final void flush() {
        ctx().flush();
    }

    /** The id of its bucket. */
    protected abstract String bucket();

    /** The client's address; empty when its connection has ended. */
    public final String address() {
        return ClientAddress.textOf(ctx().channel());
    }

    protected final void countReceived(ByteBuf bytes) {
        bytesReceived += bytes.readableBytes();
    }

    protected final void countRequest() {
        requests++;
    }

    protected final long requests() {
        return requests;
    }

    public final long bytesReceived() {
        return bytesReceived;
    }

    public final long bytesSent() {
        return bytesSent;
    }

    /**
     * The client as it is now.
     *
     * @param connection the server connection that it has; null without one
     */
    protected final ClientSnapshot snapshot(
            ClientSnapshot.State doing,
            ClientSnapshot.Mode mode,
            @Nullable ServerConnection connection,
            boolean overdue,
            long enteredAt,
            long lastRequestAt) {
        return new ClientSnapshot(
                id,
                address(),
                identity,
                doing,
                mode,
                connection == null ? null : connection.pinReason(),
                connection == null ? 0 : connection.pinnedSince(),
                overdue,
                connection == null ? 0 : connection.id(),
                enteredAt,
                lastRequestAt,
                requests,
                bytesReceived,
                bytesSent);
    }

    /** Back-pressure: a client whose server does not read is not read either. */
    public final void reading(boolean on) {
        ctx().channel().config().setAutoRead(on);
    }

    public final boolean isWritable() {
        return ctx().channel().isWritable();
    }

    /** Whether it is still served. */
    public final boolean isHere() {
        return !isClosed();
    }

    /** Whether {@link #end} was called. */
    protected abstract boolean isClosed();

    /**
     * Ends the client's session: ignores what it sends from now on, and releases what it has. Called once. Not left to
     * channelInactive: that comes only when everything read has been relayed, and with TLS after the client's close_notify.
     */
    protected abstract void end();

    /** The bucket need not wait for this client any more. Called at least once, after {@link #end}. */
    protected abstract void left();

    /** The client has ended its side (FIN): it has disconnected, or will after reading its last response. */
    protected abstract void saidAll();

    /** Closes the client now, whatever it does. */
    public final void cutOff(String why) {
        if (isClosed()) {
            part();
        } else {
            close(why);
        }
    }

    public final void close(@Nullable String why) {
        tellLog(why);
        hangUp();
    }

    /** Closes the client after all that was written to it. Its server connection is released at once. */
    public final void closeWhenTold(String why) {
        tellLog(why);
        hangUpWhenTold();
    }

    private void tellLog(@Nullable String why) {
        line(Level.INFO)
                .addKeyValue(ClientLines.REASON, String.valueOf(why))
                .log(
                        "client {} ({}, login {}, bucket {}) is closed: {}",
                        id,
                        address(),
                        identity.login(),
                        bucket(),
                        why);
    }

    /** Logs an error that the client gets; that it is closed for it needs no line of its own. */
    public final void tellLogOfError(Level level, int number, String text) {
        line(level)
                .addKeyValue(ClientLines.ERROR, number)
                .addKeyValue(ClientLines.REASON, text)
                .log(
                        "client {} ({}, login {}, bucket {}) got error {}: {}",
                        id,
                        address(),
                        identity.login(),
                        bucket(),
                        number,
                        text);
    }

    public final void tellLogOfPin(String reason, long ageNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(ageNanos);
        line(Level.WARN)
                .addKeyValue(ClientLines.REASON, reason)
                .addKeyValue(ClientLines.AGE, millis)
                .log(
                        "client {} ({}, login {}, bucket {}, application {}) has kept its server connection for {} ms,"
                                + " longer than proxy.max_pin_time, because of: {}",
                        id,
                        address(),
                        identity.login(),
                        bucket(),
                        identity.application(),
                        millis,
                        reason);
    }

    private LoggingEventBuilder line(Level level) {
        return ClientLines.of(log, level, bucket(), address(), identity.login())
                .addKeyValue(ClientLines.CLIENT_ID, id)
                .addKeyValue(ClientLines.APPLICATION, identity.application());
    }

    /** As {@link #close}, without a log line. */
    public final void hangUp() {
        end();
        part();
    }

    /** As {@link #closeWhenTold}, without a log line: a client that reads slowly must not lose the end of its last response. */
    public final void hangUpWhenTold() {
        end();
        ChannelFuture told = ctx().writeAndFlush(ctx().alloc().buffer(0));
        if (told.isDone()) {
            part();
            return;
        }
        Future<?> enough = ctx().executor().schedule(this::part, MOST_SECONDS_TO_TELL, TimeUnit.SECONDS);
        told.addListener(_ -> {
            enough.cancel(false);
            part();
        });
    }

    private void part() {
        left();
        ctx().close();
    }

    @Override
    public final void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !isClosed()) {
            saidAll();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        if (!isClosed()) {
            end();
        }
        left();
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (isClosed()) {
            return;
        }
        if (cause instanceof ProtocolException || cause instanceof IOException) {
            close(cause.getMessage());
        } else {
            line(Level.ERROR)
                    .addKeyValue(ClientLines.REASON, cause.toString())
                    .setCause(cause)
                    .log(
                            "client {} ({}, login {}, bucket {}) is closed by an error of the proxy's own",
                            id,
                            address(),
                            identity.login(),
                            bucket());
            hangUp();
        }
    }
}

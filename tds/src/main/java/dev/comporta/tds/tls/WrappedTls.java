package dev.comporta.tds.tls;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * TLS of TDS 7.x. Added as the first handler after PRELOGIN has settled the encryption, it adds its own {@link SslHandler}
 * after itself, carries the handshake in PRELOGIN packets, and leaves the pipeline when it is no longer needed: after the
 * handshake if everything is encrypted, after {@link #endEncryption} if LOGIN7 alone is.
 *
 * <p>Until then it passes whole TLS records to the SslHandler one by one, because the bytes after the record that ends
 * LOGIN7 are plain text, and an SslHandler that had them in its buffer would parse them as a record.
 *
 * <p>Confined to the channel's event loop. The handshake must run on that thread too (SslHandler's default), because it
 * must be complete when the first byte after the last wrapped packet is read.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: callers that care pass a promise
public final class WrappedTls extends ChannelDuplexHandler {
    private enum State {
        HANDSHAKING,
        ENCRYPTED,
        PLAIN
    }

    private static final int STATUS_NORMAL = 0;
    private static final int PACKET_SIZE = PacketHeader.DEFAULT_PACKET_SIZE;

    private static final int RECORD_HEADER_LENGTH = 5;
    private static final int CHANGE_CIPHER_SPEC = 0x14;
    private static final int ALERT = 0x15;
    private static final int APPLICATION_DATA = 0x17;
    private static final int ALERT_LENGTH = 2;
    private static final int ALERT_LEVEL_WARNING = 1;
    /** RFC 5246: 2^14 bytes of content and up to 2048 bytes that encryption may add. */
    private static final int MAX_RECORD_LENGTH = (1 << 14) + 2048;

    private final SslHandler ssl;
    private final boolean loginOnly;
    private State state = State.HANDSHAKING;

    /** Received bytes that can't be passed on yet: less than a packet header, or less than a record. */
    private ByteBuf received = Unpooled.EMPTY_BUFFER;
    /** Bytes of the current PRELOGIN packet's payload that have not arrived. */
    private int payloadRemaining;

    private @Nullable ByteBuf flight;
    private final Queue<ChannelPromise> flightPromises = new ArrayDeque<>();

    private WrappedTls(SslHandler ssl, Outcome outcome) {
        this.ssl = withoutTimeLimit(ssl);
        this.loginOnly = switch (outcome) {
            case LOGIN_ONLY -> true;
            case FULL -> false;
            case PLAIN, REFUSED -> throw new IllegalArgumentException("no TLS when the outcome is " + outcome);
        };
    }

    /** @param context of TLS 1.2 and no later: 7.x peers stop unwrapping packets when the handshake ends */
    public static WrappedTls server(SslContext context, Channel channel, Outcome outcome) {
        return new WrappedTls(context.newHandler(channel.alloc()), outcome);
    }

    /** The certificate is verified against the host and port. */
    public static WrappedTls client(SslContext context, Channel channel, String host, int port, Outcome outcome) {
        return new WrappedTls(context.newHandler(channel.alloc(), host, port), outcome);
    }

    /**
     * Removes Netty's handshake timeout of ten seconds. The whole login has a time limit of its own, and when
     * many clients log in at once a handshake may take most of that time.
     */
    public static SslHandler withoutTimeLimit(SslHandler ssl) {
        ssl.setHandshakeTimeoutMillis(0);
        return ssl;
    }

    public Future<Channel> handshakeFuture() {
        return ssl.handshakeFuture();
    }

    /**
     * LOGIN7 is complete: from here on both directions are plain text. A server calls it while it handles the packet that
     * ends LOGIN7, a client right after it has written and flushed LOGIN7; both before they write or read anything
     * else. Does nothing if the whole connection is encrypted.
     */
    public void endEncryption(ChannelHandlerContext anyContext) {
        if (!loginOnly || state == State.PLAIN) {
            return;
        }
        if (state == State.HANDSHAKING) {
            throw new IllegalStateException("LOGIN7 before the end of the TLS handshake");
        }
        state = State.PLAIN;
        anyContext.pipeline().remove(ssl);
        if (!received.isReadable()) {
            anyContext.pipeline().remove(this);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.pipeline().addAfter(ctx.name(), null, ssl);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        release();
        ctx.fireChannelInactive();
    }

    private void release() {
        received.release();
        received = Unpooled.EMPTY_BUFFER;
        if (flight != null) {
            flight.release();
            flight = null;
            failFlight(new ClosedChannelException());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        append(ctx, (ByteBuf) msg);
        boolean progress = true;
        while (progress && received.isReadable()) {
            progress = switch (state) {
                case HANDSHAKING -> whileHandshaking(ctx);
                case ENCRYPTED -> whileEncrypted(ctx);
                case PLAIN -> passOn(ctx, received.readableBytes());
            };
        }
        if (!ctx.isRemoved() && !received.isReadable() && isOver()) {
            ctx.pipeline().remove(this);
        }
        shrink(ctx);
    }

    /** A few bytes that wait for the rest of a record must not keep alive the buffer that they were read into. */
    private void shrink(ChannelHandlerContext ctx) {
        int held = received.readableBytes();
        if (received.capacity() > 2 * held + PacketHeader.LENGTH) {
            ByteBuf smaller =
                    held == 0 ? Unpooled.EMPTY_BUFFER : ctx.alloc().buffer(held).writeBytes(received);
            received.release();
            received = smaller;
        }
    }

    private boolean isOver() {
        return state == State.PLAIN || (state == State.ENCRYPTED && !loginOnly);
    }

    private void append(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (!received.isReadable()) {
            received.release();
            received = bytes;
            return;
        }
        try {
            ByteBuf joined = ctx.alloc().buffer(received.readableBytes() + bytes.readableBytes());
            joined.writeBytes(received).writeBytes(bytes);
            received.release();
            received = joined;
        } finally {
            bytes.release();
        }
    }

    private boolean whileHandshaking(ChannelHandlerContext ctx) {
        if (payloadRemaining == 0) {
            // Checked before the rest of the header arrives: a wrong type makes it useless to wait.
            checkPacketType(received.getUnsignedByte(received.readerIndex()));
            if (received.readableBytes() < PacketHeader.LENGTH) {
                return false;
            }
            int length = received.getUnsignedShort(received.readerIndex() + 2);
            if (length <= PacketHeader.LENGTH) {
                throw new ProtocolException("TLS handshake in a packet of " + length + " bytes");
            }
            received.skipBytes(PacketHeader.LENGTH);
            payloadRemaining = length - PacketHeader.LENGTH;
            return true;
        }
        int length = Math.min(payloadRemaining, received.readableBytes());
        payloadRemaining -= length;
        boolean lastOfPacket = payloadRemaining == 0;
        passOn(ctx, length);
        if (lastOfPacket && ssl.handshakeFuture().isSuccess()) {
            handshakeSucceeded(ctx);
        }
        return true;
    }

    private static void checkPacketType(int type) {
        if (type != PacketType.PRELOGIN && type != PacketType.TABULAR_RESULT) {
            throw new ProtocolException("TLS handshake in a " + PacketType.name(type) + " packet");
        }
    }

    private void handshakeSucceeded(ChannelHandlerContext ctx) {
        // The last flight was written by the very call that completed the handshake, and may not be flushed yet.
        writeFlight(ctx);
        state = State.ENCRYPTED;
        ctx.flush();
    }

    private boolean whileEncrypted(ChannelHandlerContext ctx) {
        if (!loginOnly) {
            return passOn(ctx, received.readableBytes());
        }
        int start = received.readerIndex();
        int type = received.getUnsignedByte(start);
        if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) {
            throw new ProtocolException("byte " + type + " where a TLS record should begin");
        }
        if (received.readableBytes() < RECORD_HEADER_LENGTH) {
            return false;
        }
        int length = received.getUnsignedShort(start + 3);
        if (length > MAX_RECORD_LENGTH) {
            throw new ProtocolException("TLS record of " + length + " bytes");
        }
        if (received.readableBytes() < RECORD_HEADER_LENGTH + length) {
            return false;
        }
        return passOn(ctx, RECORD_HEADER_LENGTH + length);
    }

    private boolean passOn(ChannelHandlerContext ctx, int length) {
        ctx.fireChannelRead(received.readRetainedSlice(length));
        return true;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        if (state != State.HANDSHAKING || !(msg instanceof ByteBuf bytes)) {
            ctx.write(msg, promise);
            return;
        }
        if (!bytes.isReadable() || isWarning(bytes)) {
            bytes.release();
            promise.trySuccess();
            return;
        }
        if (flight == null) {
            flight = ctx.alloc().buffer(bytes.readableBytes());
        }
        flight.writeBytes(bytes);
        bytes.release();
        flightPromises.add(promise);
    }

    /**
     * Whether the bytes are a TLS warning alert. They are the only output when the connection is closed during its handshake
     * (user_canceled, close_notify), and are not sent: a driver waits for the next flight or for the connection's end, and a
     * message that is neither would keep it waiting.
     */
    private static boolean isWarning(ByteBuf bytes) {
        int start = bytes.readerIndex();
        return bytes.readableBytes() >= RECORD_HEADER_LENGTH + ALERT_LENGTH
                && bytes.getUnsignedByte(start) == ALERT
                && bytes.getUnsignedShort(start + 3) == ALERT_LENGTH
                && bytes.getUnsignedByte(start + RECORD_HEADER_LENGTH) == ALERT_LEVEL_WARNING;
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        writeFlight(ctx);
        ctx.flush();
    }

    /** Sends one message per flight of the handshake, as SQL Server does, not one per record: some drivers require it. */
    private void writeFlight(ChannelHandlerContext ctx) {
        ByteBuf bytes = flight;
        if (bytes == null) {
            return;
        }
        flight = null;
        Queue<ChannelPromise> promises = new ArrayDeque<>(flightPromises);
        flightPromises.clear();
        int packetId = 1;
        while (bytes.readableBytes() > PACKET_SIZE - PacketHeader.LENGTH) {
            ctx.write(
                    packet(ctx, bytes, PACKET_SIZE - PacketHeader.LENGTH, STATUS_NORMAL, packetId++),
                    ctx.voidPromise());
        }
        ctx.write(packet(ctx, bytes, bytes.readableBytes(), PacketHeader.STATUS_EOM, packetId))
                .addListener(written -> {
                    for (ChannelPromise promise : promises) {
                        if (written.isSuccess()) {
                            promise.trySuccess();
                        } else {
                            promise.tryFailure(written.cause());
                        }
                    }
                });
        bytes.release();
    }

    private static ByteBuf packet(ChannelHandlerContext ctx, ByteBuf bytes, int length, int status, int packetId) {
        return ctx.alloc()
                .buffer(PacketHeader.LENGTH + length)
                .writeByte(PacketType.PRELOGIN)
                .writeByte(status)
                .writeShort(PacketHeader.LENGTH + length)
                .writeShort(0) // SPID: there is no session yet
                .writeByte(packetId)
                .writeByte(0) // window, unused
                .writeBytes(bytes, length);
    }

    private void failFlight(Throwable cause) {
        for (ChannelPromise promise = flightPromises.poll(); promise != null; promise = flightPromises.poll()) {
            promise.tryFailure(cause);
        }
    }
}

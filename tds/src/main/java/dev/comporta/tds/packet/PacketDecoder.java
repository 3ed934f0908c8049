package dev.comporta.tds.packet;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the stream into whole packets, each emitted as one {@link ByteBuf} that begins with its header and that the next
 * handler owns. A packet that arrived in one piece is a slice of the read buffer, or that buffer itself if it holds
 * nothing else; a packet is copied only if a read ended within it, and the packets after it are not.
 *
 * <p>Confined to the channel's event loop. A bad header is reported once, as a {@link ProtocolException} up the pipeline,
 * and everything after it is dropped. When the decoder is removed, because TLS begins or ends in mid-stream, it passes the
 * bytes that it has not emitted to the next handler unchanged.
 */
public final class PacketDecoder extends ChannelInboundHandlerAdapter {
    private enum State {
        /** Between reads. */
        WAITING,
        /** Inside {@link #channelRead}: further reads are queued behind the one being cut. */
        CUTTING,
        FAILED,
        REMOVED
    }

    /** The smallest buffer allocated for a partial packet, in bytes. */
    private static final int MIN_PARTIAL = 512;

    private static final int GROWTH = 4;

    private State state = State.WAITING;
    private int maxLength;

    /** The beginning of a packet whose end has not arrived. */
    private @Nullable ByteBuf partial;

    /** Reads that arrived while an earlier one was being cut: an earlier handler released bytes that it had kept. */
    private final ArrayDeque<Object> queued = new ArrayDeque<>(0);

    private boolean emittedSinceReadComplete;

    /** Accepts packets up to {@code maxLength} bytes, header included. */
    public PacketDecoder(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Sets the maximum from the next packet on, after the login has agreed on a size. */
    public void maxLength(int maxLength) {
        this.maxLength = maxLength;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        switch (state) {
            case WAITING -> {
                state = State.CUTTING;
                cut(ctx, message);
                while (state == State.CUTTING && !queued.isEmpty()) {
                    cut(ctx, queued.poll());
                }
                if (state == State.CUTTING) {
                    state = State.WAITING;
                } else {
                    letGoOfQueue(ctx);
                }
            }
            case CUTTING -> queued.add(message);
            case FAILED -> ReferenceCountUtil.release(message);
            case REMOVED -> ctx.fireChannelRead(message);
        }
    }

    private void cut(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof ByteBuf in)) {
            emit(ctx, message);
            return;
        }
        boolean owned = true;
        try {
            if (partial != null) {
                completePartial(ctx, in, partial);
            }
            while (state == State.CUTTING && in.readableBytes() >= PacketHeader.LENGTH) {
                int length = checkedLength(in);
                if (in.readableBytes() < length) {
                    break;
                }
                if (in.readableBytes() == length) {
                    owned = false;
                    emit(ctx, in);
                    return;
                }
                emit(ctx, in.readRetainedSlice(length));
            }
            if (!in.isReadable()) {
                return;
            }
            if (state == State.REMOVED) {
                owned = false;
                ctx.fireChannelRead(in);
            } else if (state == State.CUTTING) {
                partial = beginPartial(ctx, in);
            }
        } catch (ProtocolException broken) {
            fail(ctx, broken);
        } finally {
            if (owned) {
                in.release();
            }
        }
    }

    private static ByteBuf beginPartial(ChannelHandlerContext ctx, ByteBuf in) {
        int readable = in.readableBytes();
        int capacity =
                readable < PacketHeader.LENGTH ? PacketHeader.LENGTH : roomFor(readable, PacketHeader.length(in));
        ByteBuf begun = ctx.alloc().ioBuffer(capacity);
        return begun.writeBytes(in);
    }

    /**
     * Depends on the bytes received, not on the length in the header: otherwise an unauthenticated peer could make us hold
     * 32 KB by sending 9 bytes. Four times the bytes received, so that a packet of which a quarter has come is copied once.
     */
    private static int roomFor(int received, int announced) {
        return Math.min(announced, Math.max(MIN_PARTIAL, GROWTH * received));
    }

    private void completePartial(ChannelHandlerContext ctx, ByteBuf in, ByteBuf packet) {
        int headerMissing = PacketHeader.LENGTH - packet.readableBytes();
        if (headerMissing > 0) {
            packet.writeBytes(in, Math.min(headerMissing, in.readableBytes()));
            if (packet.readableBytes() < PacketHeader.LENGTH) {
                return;
            }
            checkedLength(packet);
        }
        int length = PacketHeader.length(packet);
        int next = Math.min(length - packet.readableBytes(), in.readableBytes());
        if (packet.writableBytes() < next) {
            packet.capacity(roomFor(packet.readableBytes() + next, length));
        }
        packet.writeBytes(in, next);
        if (packet.readableBytes() == length) {
            partial = null;
            emit(ctx, packet);
        }
    }

    private int checkedLength(ByteBuf packet) {
        int type = PacketHeader.type(packet);
        if (!PacketType.isKnown(type)) {
            throw new ProtocolException("packet of unknown type 0x%02x".formatted(type));
        }
        int length = PacketHeader.length(packet);
        if (length < PacketHeader.LENGTH || length > maxLength) {
            throw new ProtocolException("%s packet of %d bytes; from %d to %d are allowed"
                    .formatted(PacketType.name(type), length, PacketHeader.LENGTH, maxLength));
        }
        return length;
    }

    private void emit(ChannelHandlerContext ctx, Object message) {
        emittedSinceReadComplete = true;
        ctx.fireChannelRead(message);
    }

    private void fail(ChannelHandlerContext ctx, ProtocolException broken) {
        state = State.FAILED;
        releasePartial();
        ctx.fireExceptionCaught(broken);
    }

    private void letGoOfQueue(ChannelHandlerContext ctx) {
        for (Object message = queued.poll(); message != null; message = queued.poll()) {
            if (state == State.REMOVED) {
                ctx.fireChannelRead(message);
            } else {
                ReferenceCountUtil.release(message);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Later handlers can't know that a read brought only part of a packet, so none of them would ask for more.
        if (!emittedSinceReadComplete
                && partial != null
                && !ctx.channel().config().isAutoRead()) {
            ctx.read();
        }
        emittedSinceReadComplete = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        releasePartial();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        boolean failed = state == State.FAILED;
        state = State.REMOVED;
        ByteBuf left = partial;
        partial = null;
        if (left == null) {
            return;
        }
        if (failed) {
            left.release();
            return;
        }
        ctx.fireChannelRead(left);
        ctx.fireChannelReadComplete();
    }

    private void releasePartial() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }
}

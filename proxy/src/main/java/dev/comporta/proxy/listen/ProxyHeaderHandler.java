package dev.comporta.proxy.listen;

import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.listen.RefusedConnections.Reason;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.origin.ProxyHeader;
import dev.comporta.proxy.origin.ProxyHeader.Reading;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Removes the PROXY header from the beginning of a connection, before TLS and TDS, checks the client by the address in it,
 * and leaves the pipeline. A header that does not come from a trusted load balancer closes the connection. A load balancer's
 * health check without data is ignored. Confined to the connection's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: channelInactive reports the end
final class ProxyHeaderHandler extends ChannelInboundHandlerAdapter {
    private enum State {
        /** From a trusted load balancer: the client's address is known after the first bytes. */
        TRUSTED,
        /** From another peer: the client's address is the socket's, and was checked. */
        UNTRUSTED,
        /** The load balancer's own connection (LOCAL), which may send nothing more. */
        LOCAL,
        CLOSED
    }

    private final Entrance entrance;
    private final PendingLogin pending;
    private State state;
    private ByteBuf received = Unpooled.EMPTY_BUFFER;

    ProxyHeaderHandler(Entrance entrance, PendingLogin pending) {
        this.entrance = entrance;
        this.pending = pending;
        state = pending.isUnknown() ? State.TRUSTED : State.UNTRUSTED;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        append(ctx, (ByteBuf) message);
        if (!received.isReadable()) {
            return;
        }
        switch (state) {
            case TRUSTED -> whileTrusted(ctx);
            case UNTRUSTED -> whileUntrusted(ctx);
            case LOCAL -> judge(ctx);
            case CLOSED -> discard();
        }
    }

    /** Headers are short and mostly arrive at once; no more is held than the longest header. */
    private void append(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (!received.isReadable()) {
            received.release();
            received = bytes;
            return;
        }
        ByteBuf joined = ctx.alloc().buffer(received.readableBytes() + bytes.readableBytes());
        joined.writeBytes(received).writeBytes(bytes);
        received.release();
        bytes.release();
        received = joined;
    }

    private void whileTrusted(ChannelHandlerContext ctx) {
        switch (ProxyHeader.beginning(received)) {
            case MAYBE -> {}
            case NONE -> {
                if (entrance.rules().proxyProtocol() == ProxyProtocol.REQUIRED) {
                    refuse(ctx, Reason.MISSING_PROXY_HEADER, "no PROXY header. Have the load balancer send one");
                } else {
                    judge(ctx);
                }
            }
            case HEADER -> {
                switch (ProxyHeader.read(received)) {
                    case Reading.Incomplete _ -> {}
                    case Reading.Invalid(String why) ->
                        refuse(ctx, Reason.BAD_PROXY_HEADER, "a bad PROXY header: " + why);
                    case Reading.Whole header -> headerRead(ctx, header);
                }
            }
        }
    }

    private void headerRead(ChannelHandlerContext ctx, Reading.Whole header) {
        received.skipBytes(header.length());
        if (header.source() != null) {
            ClientAddress.tell(ctx.channel(), header.source());
        }
        pending.progressed();
        if (header.local() && !received.isReadable()) {
            state = State.LOCAL;
        } else {
            judge(ctx);
        }
    }

    private void whileUntrusted(ChannelHandlerContext ctx) {
        switch (ProxyHeader.beginning(received)) {
            case MAYBE -> {}
            case NONE -> passOn(ctx);
            case HEADER ->
                refuse(
                        ctx,
                        Reason.UNTRUSTED_PROXY_HEADER,
                        "a PROXY header from an address that is not in trusted_proxies");
        }
    }

    private void judge(ChannelHandlerContext ctx) {
        if (entrance.admit(ctx.channel())) {
            pending.known(ClientAddress.ipOf(ctx.channel()));
            passOn(ctx);
        } else {
            close(ctx);
        }
    }

    private void passOn(ChannelHandlerContext ctx) {
        ByteBuf rest = received;
        received = Unpooled.EMPTY_BUFFER;
        ctx.pipeline().remove(this); // first: with these bytes the client may log in and move to another loop
        if (rest.isReadable()) {
            ctx.fireChannelRead(rest);
        } else {
            rest.release();
        }
    }

    private void refuse(ChannelHandlerContext ctx, Reason reason, String detail) {
        entrance.refuse(reason, ctx.channel(), detail);
        close(ctx);
    }

    private void close(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        discard();
        ctx.close();
    }

    private void discard() {
        received.release();
        received = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        discard();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        discard();
    }
}

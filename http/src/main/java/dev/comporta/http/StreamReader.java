package dev.comporta.http;

import dev.comporta.ops.http.HttpStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** A caller that reads a stream. Any thread may send; bytes are written on the event loop. */
final class StreamReader implements HttpStream.Reader {
    private final ChannelHandlerContext ctx;
    private final HttpCaller caller;
    private final int mostPending;
    /** Bytes sent that the socket has not accepted yet. */
    private final AtomicLong pending = new AtomicLong();

    private volatile boolean over;

    StreamReader(ChannelHandlerContext ctx, HttpCaller caller, int mostPending) {
        this.ctx = ctx;
        this.caller = caller;
        this.mostPending = mostPending;
    }

    @Override
    public void send(byte[] piece) {
        if (over) {
            return;
        }
        if (pending.addAndGet(piece.length) > mostPending) {
            over = true;
            onLoop(caller::tooSlow);
        } else {
            onLoop(() -> write(piece));
        }
    }

    private void write(byte[] piece) {
        ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece))).addListener(written -> {
            pending.addAndGet(-piece.length);
            if (!written.isSuccess()) {
                caller.cutOff();
            }
        });
    }

    @Override
    public void end() {
        over = true;
        onLoop(caller::endStream);
    }

    private void onLoop(Runnable action) {
        try {
            ctx.executor().execute(action);
        } catch (RejectedExecutionException stopped) {
            over = true; // the event loop is closed, and the connection with it
        }
    }
}

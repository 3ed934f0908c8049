package dev.comporta.standin.wire;

import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.tds.packet.PacketSink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends a response's packets from the thread that runs the request, and blocks that thread while the client does not read: a
 * response of any size takes no more memory than the channel's high-water mark and one chunk. The event loop wakes it when
 * that may have changed.
 */
final class ChannelSink implements PacketSink {
    private final Channel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    ChannelSink(Channel channel) {
        this.channel = channel;
    }

    /** @throws RequestCancelled if the client has disconnected */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel, and the next send sees that
    public void send(ByteBuf packets, boolean endOfMessage) {
        if (!awaitWritable()) {
            packets.release();
            throw new RequestCancelled();
        }
        channel.writeAndFlush(packets, channel.voidPromise());
    }

    private boolean awaitWritable() {
        if (channel.isWritable()) {
            return true;
        }
        lock.lock();
        try {
            while (!channel.isWritable()) {
                if (!channel.isActive()) {
                    return false;
                }
                changed.awaitUninterruptibly();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The channel has become writable, or inactive. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

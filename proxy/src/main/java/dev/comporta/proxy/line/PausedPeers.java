package dev.comporta.proxy.line;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.channel.uring.IoUringTcpInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps TCP_USER_TIMEOUT from closing connections whose peer is alive but does not read. Linux lets it expire even while a peer
 * acknowledges every window probe with a closed window: a client that looks at one row of a large result for a minute would be
 * disconnected. So the timeout is extended while the peer answers the probes. Confined to its bucket's loop.
 */
public final class PausedPeers {
    /** Checks per timeout: the extension must come before the timeout has expired, on a busy loop too. */
    private static final int LOOKS = 4;

    private final int timeoutMillis;
    private final long intervalNanos;
    private final EpollTcpInfo epoll = new EpollTcpInfo();
    private final IoUringTcpInfo uring = new IoUringTcpInfo();
    /** The peers that don't read, and since when. */
    private final Map<Channel, Long> pausedSince = new HashMap<>();

    private long nextLook;

    public PausedPeers(Duration userTimeout) {
        timeoutMillis = (int) userTimeout.toMillis();
        intervalNanos = userTimeout.toNanos() / LOOKS;
    }

    /** Whether all connections must be checked again now. */
    public boolean isDue(long now) {
        if (timeoutMillis == 0 || now < nextLook) {
            return false;
        }
        nextLook = now + intervalNanos;
        pausedSince.keySet().removeIf(channel -> !channel.isOpen());
        return true;
    }

    public void look(Channel channel, long now) {
        try {
            if (channel instanceof EpollSocketChannel socket) {
                socket.tcpInfo(epoll);
                look(channel, now, epoll.retransmits(), epoll.backoff(), epoll.probes());
            } else if (channel instanceof IoUringSocketChannel socket) {
                socket.tcpInfo(uring);
                look(channel, now, uring.retransmits(), uring.backoff(), uring.probes());
            }
        } catch (ChannelException closed) {
            pausedSince.remove(channel);
        }
    }

    /**
     * @param backoff counts repetitions: of data if {@code retransmits} is not 0, else of probes of a closed window
     * @param probes the number of unanswered probes
     */
    private void look(Channel channel, long now, int retransmits, int backoff, int probes) {
        Long since = pausedSince.get(channel);
        if (backoff == 0 || retransmits > 0) {
            if (since != null) {
                pausedSince.remove(channel);
                userTimeout(channel, timeoutMillis);
            }
            return;
        }
        if (since == null) {
            since = now - 2 * intervalNanos; // it may have begun right after the last check, which may have been late
            pausedSince.put(channel, since);
        }
        if (probes == 0) {
            userTimeout(
                    channel, timeoutMillis + (int) Duration.ofNanos(now - since).toMillis());
        }
    }

    private static void userTimeout(Channel channel, int millis) {
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, millis);
        } else {
            channel.config().setOption(IoUringChannelOption.TCP_USER_TIMEOUT, millis);
        }
    }
}

package dev.comporta.proxy.line;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.channel.uring.IoUringTcpInfo;

/** The kernel's state of a connection, which the event loop may not have seen yet. */
final class TcpState {
    /** TCP_ESTABLISHED in Linux' {@code tcp_states.h}. */
    private static final int ESTABLISHED = 1;

    private TcpState() {}

    /** Whether the peer, or a device between, has ended it by FIN or RST. False where the transport can't tell. */
    static boolean isEnded(Channel channel) {
        try {
            if (channel instanceof EpollSocketChannel socket) {
                EpollTcpInfo info = new EpollTcpInfo();
                socket.tcpInfo(info);
                return info.state() != ESTABLISHED;
            }
            if (channel instanceof IoUringSocketChannel socket) {
                IoUringTcpInfo info = new IoUringTcpInfo();
                socket.tcpInfo(info);
                return info.state() != ESTABLISHED;
            }
            return false;
        } catch (ChannelException closed) {
            return true;
        }
    }
}

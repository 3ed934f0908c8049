package dev.comporta.proxy.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket whose port other processes share (SO_REUSEPORT): the kernel assigns each new connection to one of them,
 * by a hash of its addresses. Closing a socket resets the connections in its queue that were not accepted. So before a
 * process stops listening, it attaches a program to the group of sockets that selects the other one.
 */
final class SharedPort {
    private static final Logger log = LoggerFactory.getLogger(SharedPort.class);

    // Linux' constants, equal on all processors that Netty has native transports for.
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    private static final int SO_DETACH_REUSEPORT_BPF = 68;
    private static final short BPF_RET_K = 0x06;

    /** Sockets are numbered in the order in which they began to listen; without a second one the kernel falls back to its hash. */
    private static final int THE_SECOND = 1;

    private final Socket socket;

    private SharedPort(Socket socket) {
        this.socket = socket;
    }

    /** Joins the group: connections are distributed to all its sockets, even if an earlier process has directed them to one. */
    static SharedPort join(Channel listener) {
        SharedPort port =
                new SharedPort(new Socket(((UnixChannel) listener).fd().intValue()));
        try {
            port.socket.setIntOpt(SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, 0);
        } catch (IOException | ChannelException none) { // Netty throws either
            log.debug("port {}: no SO_REUSEPORT program to detach: {}", listener.localAddress(), none.toString());
        }
        return port;
    }

    void handOver() {
        ByteOrder order = ByteOrder.nativeOrder();
        // struct sock_filter { u16 code; u8 jt; u8 jf; u32 k; }
        ByteBuffer program = ByteBuffer.allocateDirect(8).order(order);
        program.putShort(BPF_RET_K).putShort((short) 0).putInt(THE_SECOND).flip();
        // struct sock_fprog { u16 len; struct sock_filter *filter; }
        ByteBuffer pointer = ByteBuffer.allocateDirect(16).order(order);
        pointer.putShort(0, (short) 1)
                .putLong(8, MemorySegment.ofBuffer(program).address());
        try {
            socket.setRawOpt(SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, pointer);
        } catch (IOException | ChannelException e) {
            log.warn(
                    "can't direct new connections to the other process on this port (SO_ATTACH_REUSEPORT_CBPF: {}): some may be"
                            + " reset when this listener closes",
                    e.toString());
        }
    }
}

package dev.comporta.proxy.listen;

import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.channel.WriteBufferWaterMark;
import java.time.Duration;

/**
 * Limits of a client's use of this instance.
 *
 * @param maxClients clients that are logged in at the same time; 0 for no limit but the system's
 * @param packetSize the largest TDS packet size that is negotiated
 * @param loginSize the largest LOGIN7 message, all its packets together
 * @param lowWatermark bytes waiting to be written to one side below which the other is read again
 * @param highWatermark bytes waiting above which the other side is not read
 * @param maxSockets client connections, logged in or not; 0 for no limit but the system's
 * @param keepAlive of client and server connections
 * @param logins limits of connections that have not logged in yet
 * @param closeTimeout for a server to close its side of a closed connection; 0 for none, as long as its machine acknowledges
 */
public record SocketLimits(
        int maxClients,
        int packetSize,
        int loginSize,
        int lowWatermark,
        int highWatermark,
        LoginLimits logins,
        int maxSockets,
        KeepAlive keepAlive,
        Duration closeTimeout) {
    public static final SocketLimits DEFAULTS = new SocketLimits(
            0,
            PacketHeader.MAX_PACKET_SIZE,
            Login7.MAX_LENGTH,
            32 * 1024,
            64 * 1024,
            LoginLimits.DEFAULTS,
            0,
            KeepAlive.DEFAULTS,
            Duration.ofMinutes(5));

    /** The packet size of a LOGIN7 that leaves it to the server. */
    private static final int SERVERS_CHOICE = 0;

    public WriteBufferWaterMark waterMark() {
        return new WriteBufferWaterMark(lowWatermark, highWatermark);
    }

    /** The packet size to request from a server for a client that wants this one. */
    public int agreeTo(int wanted) {
        if (wanted == SERVERS_CHOICE) {
            return packetSize == PacketHeader.MAX_PACKET_SIZE
                    ? SERVERS_CHOICE
                    : Math.min(PacketHeader.DEFAULT_PACKET_SIZE, packetSize);
        }
        return Math.min(wanted, packetSize);
    }
}

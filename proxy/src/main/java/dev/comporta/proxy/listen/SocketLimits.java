package dev.comporta.proxy.listen;

import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.channel.WriteBufferWaterMark;
import java.time.Duration;

/**
 * What a client may cost this instance.
 *
 * @param maxClients that are logged in at the same time; 0 for as many as the system lets in
 * @param packetSize the largest TDS packet that is agreed to
 * @param loginSize the largest LOGIN7 message, all its packets together
 * @param lowWatermark when so few bytes wait to be written to one side, the other is read again
 * @param highWatermark when so many wait, it is read no further
 * @param maxSockets of clients, logged in or not; 0 for as many as the system lets in
 * @param keepAlive for clients and servers
 * @param logins for those that are not logged in yet
 * @param closeTimeout for a server to close its side, when a connection is closed; 0 for as long as its machine answers
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

    /** What a client says in its LOGIN7 that leaves the size to the server. */
    private static final int SERVERS_CHOICE = 0;

    public WriteBufferWaterMark waterMark() {
        return new WriteBufferWaterMark(lowWatermark, highWatermark);
    }

    /** The packet size to ask a server for where a client wants this one. */
    public int agreeTo(int wanted) {
        if (wanted == SERVERS_CHOICE) {
            return packetSize == PacketHeader.MAX_PACKET_SIZE
                    ? SERVERS_CHOICE
                    : Math.min(PacketHeader.DEFAULT_PACKET_SIZE, packetSize);
        }
        return Math.min(wanted, packetSize);
    }
}

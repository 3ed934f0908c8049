package dev.comporta.proxy.watch;

import dev.comporta.pool.stats.EnumCounts;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what a bucket's relay does. Plain fields: the hot path increments them. Confined to its loop, but for {@link #refusals}.
 */
public final class RelayCounters {
    /** How a reset was sent to the server. */
    public enum Reset {
        /** On a client's request, by the proxy: it costs no round trip. */
        WITH_REQUEST,
        /** In the proxy's own message. */
        OWN_MESSAGE,
        /** On a client's request, by the client itself. */
        BY_CLIENT
    }

    /** The purpose of the proxy's own message to a server, which costs a round trip. */
    public enum OwnMessage {
        /** Resets the session and applies the settings of the client that is about to use it. */
        SETTINGS,
        /** Prepares a statement that was prepared on another server connection. */
        PREPARE,
        /** Unprepares handles that are no longer used. */
        UNPREPARE,
        /** Asks whether a transaction is open, or session context remains. */
        PROBE,
        /** Restores the session's state after login, while no client has it. */
        RESET,
        /** Ends a transaction that a client has left open. */
        ROLL_BACK,
        HEALTH_CHECK,
        /** Learns what a new connection's server reports by itself. */
        LEARN
    }

    /** How the credentials of an admitted client were checked. */
    public enum Login {
        /** By the server's earlier verdict on the same credentials. */
        KNOWN,
        /** By the server, while the client waited. */
        CHECKED,
        /** By the server, to which the client logs in itself, on a dedicated connection. */
        DEDICATED
    }

    /** A power of two above all types, so that a mask keeps any byte within bounds. */
    private static final int TYPES = 32;

    /** The types that the relay sends. */
    private static final int[] SENT = {
        PacketType.SQL_BATCH, PacketType.RPC, PacketType.ATTENTION, PacketType.BULK_LOAD, PacketType.TRANSACTION_MANAGER
    };

    public final EnumCounts<Reset> resets = new EnumCounts<>(Reset.values());
    public final EnumCounts<OwnMessage> ownMessages = new EnumCounts<>(OwnMessage.values());
    public final EnumCounts<Login> logins = new EnumCounts<>(Login.values());
    public final RefusalCounts refusals = new RefusalCounts();
    private final long[] sent = new long[TYPES];

    /** Packets from servers, which send tabular results only. */
    public long packetsReceived;

    /** Own messages that applied settings of a client from another server connection. */
    public long stateReplays;

    /** TLS handshakes with servers. */
    public long handshakes;

    public long failedHandshakes;

    /** Requests that reached the threshold of the slow-request log. */
    public long slowRequests;

    /** Counts a packet for the server. Borrows it. */
    public void countSent(ByteBuf packet) {
        sent[PacketHeader.type(packet) & (TYPES - 1)]++;
    }

    /** Counts the consecutive packets of one message. Borrows them. */
    public void countAllSent(ByteBuf packets) {
        int at = packets.readerIndex();
        while (packets.writerIndex() - at >= PacketHeader.LENGTH) {
            sent[packets.getUnsignedByte(at) & (TYPES - 1)]++;
            at += Math.max(PacketHeader.LENGTH, packets.getUnsignedShort(at + 2));
        }
    }

    public RelaySnapshot snapshot() {
        Map<String, Long> packets = new TreeMap<>();
        for (int type : SENT) {
            packets.put(word(type), sent[type]);
        }
        return new RelaySnapshot(
                words(resets.snapshot()),
                words(ownMessages.snapshot()),
                words(logins.snapshot()),
                refusals.snapshot(),
                Collections.unmodifiableMap(packets),
                Map.of(word(PacketType.TABULAR_RESULT), packetsReceived),
                stateReplays,
                handshakes,
                failedHandshakes,
                slowRequests);
    }

    private static String word(int packetType) {
        return switch (packetType) {
            case PacketType.SQL_BATCH -> "sql_batch";
            case PacketType.RPC -> "rpc";
            case PacketType.TABULAR_RESULT -> "tabular_result";
            case PacketType.ATTENTION -> "attention";
            case PacketType.BULK_LOAD -> "bulk_load";
            case PacketType.TRANSACTION_MANAGER -> "transaction_manager";
            default -> throw new IllegalArgumentException(PacketType.name(packetType) + " is not relayed");
        };
    }

    private static <E extends Enum<E>> Map<String, Long> words(Map<E, Long> counts) {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((constant, n) -> all.put(constant.name().toLowerCase(Locale.ROOT), n));
        return Collections.unmodifiableMap(all);
    }
}

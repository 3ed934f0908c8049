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
 * What the relay of a bucket has done. Plain fields: the hot path increments them. Confined to the bucket's loop, but for
 * {@link #refusals}.
 */
public final class RelayCounters {
    /** What brought a reset to the server. */
    public enum Reset {
        /** A client's request, to which the proxy has added it: it costs no round trip. */
        WITH_REQUEST,
        /** A message of the proxy's own. */
        OWN_MESSAGE,
        /** A client's request, by the client's own wish. */
        BY_CLIENT
    }

    /** Why the proxy asks a server something of its own: each costs a round trip. */
    public enum OwnMessage {
        /** To reset the session and apply the settings of the client that is about to use it. */
        SETTINGS,
        /** To prepare a statement that another server connection has. */
        PREPARE,
        /** To give up handles that nobody uses any more. */
        UNPREPARE,
        /** To learn whether a transaction is open, or context is left. */
        PROBE,
        /** To bring the session back into the state after its login, while no client has it. */
        RESET,
        /** To end a transaction that a client has left open. */
        ROLL_BACK,
        HEALTH_CHECK,
        /** To see what a new connection's server tells by itself. */
        LEARN
    }

    /** How the login of a client that was let in was judged. */
    public enum Login {
        /** By what the server had said of the same credentials before. */
        KNOWN,
        /** By the server, while the client waited. */
        CHECKED,
        /** By the server, which the client talks to itself, on a connection of its own. */
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

    /** Packets of the servers, which send tabular results alone. */
    public long packetsReceived;

    /** Own messages that applied what a client had set on another server connection. */
    public long stateReplays;

    /** TLS handshakes with servers. */
    public long handshakes;

    public long failedHandshakes;

    /** Requests that took as long as the log of slow requests asks for. */
    public long slowRequests;

    /** Counts a packet for the server. Borrows it. */
    public void countSent(ByteBuf packet) {
        sent[PacketHeader.type(packet) & (TYPES - 1)]++;
    }

    /** Counts packets of one message, one behind the other. Borrows them. */
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

package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The headers at the beginning of batches, RPCs and transaction manager requests from TDS 7.2 on. Headers of unknown
 * types are skipped, as servers do.
 *
 * @param transaction the descriptor of the transaction that the request runs in, as the server gave it; 0 for none
 * @param outstandingRequests the session's requests, this one included: more than one only with MARS
 */
public record AllHeaders(
        long transaction,
        int outstandingRequests,
        @Nullable QueryNotification notification,
        @Nullable TraceActivity activity) {

    /** For a request outside of any transaction. */
    public static final AllHeaders AUTOCOMMIT = new AllHeaders(0, 1, null, null);

    private static final int TYPE_QUERY_NOTIFICATIONS = 1;
    private static final int TYPE_TRANSACTION = 2;
    private static final int TYPE_TRACE_ACTIVITY = 3;

    private static final int TOTAL_LENGTH = 4;
    private static final int HEADER_HEAD = 6;
    private static final int TRANSACTION_LENGTH = HEADER_HEAD + 12;
    private static final int ACTIVITY_LENGTH = HEADER_HEAD + 20;

    /**
     * A subscription to changes of the result.
     *
     * @param timeoutMillis null for the server's default
     */
    public record QueryNotification(
            String id, String deployment, @Nullable Integer timeoutMillis) {}

    /** The client's own number for its activity, which the server puts in its traces. */
    public record TraceActivity(UUID id, int sequence) {}

    public static AllHeaders inTransaction(long descriptor) {
        return new AllHeaders(descriptor, 1, null, null);
    }

    /** Borrows a message's body, and reads the headers at its beginning. */
    public static AllHeaders read(ByteBuf body) {
        int end = body.readerIndex() + totalLength(body);
        body.skipBytes(TOTAL_LENGTH);
        AllHeaders headers = AUTOCOMMIT;
        while (body.readerIndex() < end) {
            int next = body.readerIndex() + headerLength(body, end);
            body.skipBytes(Integer.BYTES);
            int type = body.readUnsignedShortLE();
            headers = headers.with(type, body.slice(body.readerIndex(), next - body.readerIndex()));
            body.readerIndex(next);
        }
        return headers;
    }

    /** Borrows a message's body, and skips the headers. */
    public static void skip(ByteBuf body) {
        body.skipBytes(totalLength(body));
    }

    public void write(ByteBuf out) {
        int start = out.writerIndex();
        out.writeIntLE(0);
        if (notification != null) {
            writeNotification(out, notification);
        }
        out.writeIntLE(TRANSACTION_LENGTH).writeShortLE(TYPE_TRANSACTION);
        out.writeLongLE(transaction).writeIntLE(outstandingRequests);
        if (activity != null) {
            out.writeIntLE(ACTIVITY_LENGTH).writeShortLE(TYPE_TRACE_ACTIVITY);
            writeGuid(out, activity.id);
            out.writeIntLE(activity.sequence);
        }
        out.setIntLE(start, out.writerIndex() - start);
    }

    private static void writeNotification(ByteBuf out, QueryNotification notification) {
        int start = out.writerIndex();
        out.writeIntLE(0).writeShortLE(TYPE_QUERY_NOTIFICATIONS);
        writeText(out, notification.id);
        writeText(out, notification.deployment);
        if (notification.timeoutMillis != null) {
            out.writeIntLE(notification.timeoutMillis);
        }
        out.setIntLE(start, out.writerIndex() - start);
    }

    private static void writeText(ByteBuf out, String text) {
        if (text.length() > 0xFFFF / 2) {
            throw new IllegalArgumentException("text of " + text.length() + " characters in a header");
        }
        out.writeShortLE(2 * text.length());
        Ucs2.write(out, text);
    }

    private AllHeaders with(int type, ByteBuf data) {
        try {
            return switch (type) {
                case TYPE_QUERY_NOTIFICATIONS ->
                    new AllHeaders(transaction, outstandingRequests, readNotification(data), activity);
                case TYPE_TRANSACTION -> new AllHeaders(data.readLongLE(), data.readIntLE(), notification, activity);
                case TYPE_TRACE_ACTIVITY ->
                    new AllHeaders(
                            transaction,
                            outstandingRequests,
                            notification,
                            new TraceActivity(readGuid(data), data.readIntLE()));
                default -> this;
            };
        } catch (IndexOutOfBoundsException _) {
            throw new ProtocolException("header %d of ALL_HEADERS is too short".formatted(type));
        }
    }

    /** The first three groups of a GUID are little-endian, the rest is in reading order. */
    private static UUID readGuid(ByteBuf data) {
        long high =
                data.readUnsignedIntLE() << 32 | (long) data.readUnsignedShortLE() << 16 | data.readUnsignedShortLE();
        return new UUID(high, data.readLong());
    }

    private static void writeGuid(ByteBuf out, UUID id) {
        long high = id.getMostSignificantBits();
        out.writeIntLE((int) (high >>> 32)).writeShortLE((int) (high >>> 16)).writeShortLE((int) high);
        out.writeLong(id.getLeastSignificantBits());
    }

    private static QueryNotification readNotification(ByteBuf data) {
        String id = readText(data);
        String deployment = readText(data);
        return new QueryNotification(id, deployment, data.isReadable() ? (Integer) data.readIntLE() : null);
    }

    private static String readText(ByteBuf data) {
        int bytes = data.readUnsignedShortLE();
        if (bytes % 2 != 0) {
            throw new ProtocolException("text of %d bytes in ALL_HEADERS".formatted(bytes));
        }
        return Ucs2.read(data, bytes / 2);
    }

    private static int totalLength(ByteBuf body) {
        if (body.readableBytes() < TOTAL_LENGTH) {
            throw new ProtocolException("ALL_HEADERS is missing");
        }
        long length = body.getUnsignedIntLE(body.readerIndex());
        if (length < TOTAL_LENGTH || length > body.readableBytes()) {
            throw new ProtocolException(
                    "ALL_HEADERS of %d bytes in a message of %d".formatted(length, body.readableBytes()));
        }
        return (int) length;
    }

    private static int headerLength(ByteBuf body, int end) {
        int left = end - body.readerIndex();
        long length = left < HEADER_HEAD ? 0 : body.getUnsignedIntLE(body.readerIndex());
        if (length < HEADER_HEAD || length > left) {
            throw new ProtocolException("header of %d bytes in ALL_HEADERS".formatted(length));
        }
        return (int) length;
    }
}

package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.type.Collation;
import io.netty.buffer.ByteBuf;

/** Reads the changes of an ENVCHANGE token that is contiguous, and passes them to the sink. */
final class EnvChangeReader {
    private final TokenSink sink;
    private int at;
    private int end;

    EnvChangeReader(TokenSink sink) {
        this.sink = sink;
    }

    /**
     * Borrows the buffer.
     *
     * @param firstType the first change's type, read earlier to treat type 15 apart
     */
    void read(int firstType, ByteBuf buffer, int from, int length) {
        at = from;
        end = from + length;
        change(buffer, firstType);
        // Clients read on until the end of the token, so a second change in it must not be missed.
        while (at < end) {
            change(buffer, take(buffer, 1));
        }
    }

    private void change(ByteBuf buffer, int type) {
        switch (type) {
            case EnvChange.DATABASE -> sink.databaseChanged(text(buffer), text(buffer));
            case EnvChange.LANGUAGE -> sink.languageChanged(text(buffer), text(buffer));
            case EnvChange.PACKET_SIZE -> {
                sink.packetSizeChanged(number(buffer));
                skipText(buffer);
            }
            case EnvChange.COLLATION -> collation(buffer);
            case EnvChange.BEGIN_TRANSACTION,
                    EnvChange.COMMIT_TRANSACTION,
                    EnvChange.ROLLBACK_TRANSACTION,
                    EnvChange.ENLIST_DTC,
                    EnvChange.DEFECT_TRANSACTION,
                    EnvChange.TRANSACTION_ENDED -> transaction(buffer, type);
            case EnvChange.RESET_ACKNOWLEDGED -> {
                skipBytes(buffer);
                skipBytes(buffer);
                sink.resetAcknowledged();
            }
            case EnvChange.ROUTING -> routing(buffer, false);
            case EnvChange.ENHANCED_ROUTING -> routing(buffer, true);
            case EnvChange.CHARSET,
                    EnvChange.SORT_LOCALE,
                    EnvChange.SORT_FLAGS,
                    EnvChange.MIRRORING_PARTNER,
                    EnvChange.USER_INSTANCE -> {
                skipText(buffer);
                skipText(buffer);
                sink.environmentChanged(type);
            }
            case EnvChange.TRANSACTION_MANAGER_ADDRESS -> {
                skipBytes(buffer);
                skipBytes(buffer);
                sink.environmentChanged(type);
            }
            default -> {
                // The layout of an unknown type's values is unknown; the token's length says where they end.
                at = end;
                sink.environmentChanged(type);
            }
        }
    }

    /** A begin has its descriptor in the new value, an end in the old one; either way one of them is empty. */
    private void transaction(ByteBuf buffer, int type) {
        long to = descriptor(buffer);
        long from = descriptor(buffer);
        long descriptor = to != 0 ? to : from;
        switch (type) {
            case EnvChange.BEGIN_TRANSACTION -> sink.transactionBegan(descriptor);
            case EnvChange.COMMIT_TRANSACTION -> sink.transactionCommitted(descriptor);
            case EnvChange.ROLLBACK_TRANSACTION -> sink.transactionRolledBack(descriptor);
            case EnvChange.ENLIST_DTC -> sink.transactionEnlisted(descriptor);
            case EnvChange.DEFECT_TRANSACTION -> sink.transactionDefected(descriptor);
            default -> sink.transactionEnded(descriptor);
        }
    }

    private long descriptor(ByteBuf buffer) {
        int length = take(buffer, 1);
        if (length == 0) {
            return 0;
        }
        if (length != Long.BYTES) {
            throw new ProtocolException("transaction descriptor of %d bytes".formatted(length));
        }
        int from = advance(Long.BYTES);
        return buffer.getLongLE(from);
    }

    private void collation(ByteBuf buffer) {
        int length = take(buffer, 1);
        int from = advance(length);
        if (length == Collation.BYTES) {
            sink.collationChanged(buffer.getIntLE(from), buffer.getUnsignedByte(from + 4));
        } else if (length == 0) {
            sink.collationChanged(0, 0);
        } else {
            throw new ProtocolException("collation of %d bytes".formatted(length));
        }
        skipBytes(buffer);
    }

    /** @param namesDatabase whether the database there follows */
    private void routing(ByteBuf buffer, boolean namesDatabase) {
        int length = take(buffer, 2);
        int next = at + length;
        if (next > end || length < 5) {
            throw new ProtocolException("routing in %d bytes".formatted(length));
        }
        advance(1); // the protocol: TCP is the only one
        int port = take(buffer, 2);
        String server = longText(buffer);
        String database = namesDatabase ? longText(buffer) : "";
        at = next;
        advance(take(buffer, 2));
        sink.routed(server, port, database);
    }

    private String longText(ByteBuf buffer) {
        int chars = take(buffer, 2);
        return Ucs2.get(buffer, advance(2 * chars), chars);
    }

    private String text(ByteBuf buffer) {
        int chars = take(buffer, 1);
        return Ucs2.get(buffer, advance(2 * chars), chars);
    }

    /** A number in decimal digits. */
    private int number(ByteBuf buffer) {
        int chars = take(buffer, 1);
        int value = 0;
        for (int i = 0; i < chars; i++) {
            int digit = take(buffer, 2) - '0';
            if (digit < 0 || digit > 9 || i > 8) {
                throw new ProtocolException("packet size that is not a number");
            }
            value = 10 * value + digit;
        }
        return value;
    }

    private void skipText(ByteBuf buffer) {
        advance(2 * take(buffer, 1));
    }

    private void skipBytes(ByteBuf buffer) {
        advance(take(buffer, 1));
    }

    private int take(ByteBuf buffer, int bytes) {
        int from = advance(bytes);
        return bytes == 1 ? buffer.getUnsignedByte(from) : buffer.getUnsignedShortLE(from);
    }

    /** @return the index before the move */
    private int advance(int bytes) {
        int from = at;
        if (bytes > end - from) {
            throw new ProtocolException("a value is longer than the token");
        }
        at = from + bytes;
        return from;
    }
}

package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.Ucs2;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A transaction manager request: the action, and the transaction that it runs in. */
public record TransactionRequest(AllHeaders headers, Action action) {
    private static final int GET_DTC_ADDRESS = 0;
    private static final int PROPAGATE_XACT = 1;
    private static final int BEGIN_XACT = 5;
    private static final int PROMOTE_XACT = 6;
    private static final int COMMIT_XACT = 7;
    private static final int ROLLBACK_XACT = 8;
    private static final int SAVE_XACT = 9;

    /** A flag of commit and rollback: another transaction begins at once. */
    private static final int FLAG_BEGIN = 0x01;

    /** The requested action. */
    public sealed interface Action {}

    /** Asks for the address of the server's distributed transaction coordinator. The response is a result set. */
    public record GetDtcAddress() implements Action {}

    /** Joins a distributed transaction. An empty token leaves it. */
    public static final class Propagate implements Action {
        private final byte[] token;

        public Propagate(byte[] token) {
            this.token = token.clone();
        }

        /** A copy of the token. */
        public byte[] token() {
            return token.clone();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Propagate that && Arrays.equals(token, that.token);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(token);
        }

        @Override
        public String toString() {
            return "Propagate[" + token.length + " bytes]";
        }
    }

    /** @param name empty for none */
    public record Begin(IsolationLevel isolation, String name) implements Action {}

    /** Makes the local transaction a distributed one. */
    public record Promote() implements Action {}

    /** @param next the transaction that begins when this one has ended */
    public record Commit(String name, @Nullable Begin next) implements Action {}

    /**
     * @param name of a transaction or a savepoint; empty to roll back everything
     * @param next the transaction that begins when this one has ended
     */
    public record Rollback(String name, @Nullable Begin next) implements Action {}

    public record Save(String name) implements Action {}

    /** Borrows the body of a whole message. */
    public static TransactionRequest read(ByteBuf body, RequestFormat format) {
        ByteBuf in = body.slice();
        AllHeaders headers = format.version().hasAllHeaders() ? AllHeaders.read(in) : AllHeaders.AUTOCOMMIT;
        try {
            return new TransactionRequest(headers, readAction(in));
        } catch (IndexOutOfBoundsException _) {
            throw new ProtocolException("the transaction manager request is cut short");
        }
    }

    private static Action readAction(ByteBuf in) {
        int type = in.readUnsignedShortLE();
        return switch (type) {
            case GET_DTC_ADDRESS -> {
                in.skipBytes(in.readUnsignedShortLE());
                yield new GetDtcAddress();
            }
            case PROPAGATE_XACT -> new Propagate(readBytes(in, in.readUnsignedShortLE()));
            case BEGIN_XACT -> readBegin(in);
            case PROMOTE_XACT -> new Promote();
            case COMMIT_XACT -> new Commit(readName(in), readNext(in));
            case ROLLBACK_XACT -> new Rollback(readName(in), readNext(in));
            case SAVE_XACT -> new Save(readName(in));
            default -> throw new ProtocolException("transaction manager request of unknown type %d".formatted(type));
        };
    }

    private static Begin readBegin(ByteBuf in) {
        return new Begin(IsolationLevel.of(in.readUnsignedByte()), readName(in));
    }

    private static @Nullable Begin readNext(ByteBuf in) {
        return (in.readUnsignedByte() & FLAG_BEGIN) != 0 ? readBegin(in) : null;
    }

    /** The length counts bytes, not characters. */
    private static String readName(ByteBuf in) {
        int bytes = in.readUnsignedByte();
        if (bytes % 2 != 0) {
            throw new ProtocolException("transaction name of %d bytes".formatted(bytes));
        }
        return Ucs2.read(in, bytes / 2);
    }

    private static byte[] readBytes(ByteBuf in, int length) {
        if (length > in.readableBytes()) {
            throw new IndexOutOfBoundsException();
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    public void write(ByteBuf out, RequestFormat format) {
        if (format.version().hasAllHeaders()) {
            headers.write(out);
        }
        switch (action) {
            case GetDtcAddress _ -> out.writeShortLE(GET_DTC_ADDRESS).writeShortLE(0);
            case Propagate propagate -> {
                out.writeShortLE(PROPAGATE_XACT).writeShortLE(propagate.token.length);
                out.writeBytes(propagate.token);
            }
            case Begin begin -> writeBegin(out.writeShortLE(BEGIN_XACT), begin);
            case Promote _ -> out.writeShortLE(PROMOTE_XACT);
            case Commit commit -> writeEnd(out, COMMIT_XACT, commit.name, commit.next);
            case Rollback rollback -> writeEnd(out, ROLLBACK_XACT, rollback.name, rollback.next);
            case Save save -> writeName(out.writeShortLE(SAVE_XACT), save.name);
        }
    }

    private static void writeEnd(ByteBuf out, int type, String name, @Nullable Begin next) {
        writeName(out.writeShortLE(type), name);
        out.writeByte(next == null ? 0 : FLAG_BEGIN);
        if (next != null) {
            writeBegin(out, next);
        }
    }

    private static void writeBegin(ByteBuf out, Begin begin) {
        writeName(out.writeByte(begin.isolation.code()), begin.name);
    }

    private static void writeName(ByteBuf out, String name) {
        if (name.length() > 0xFF / 2) {
            throw new IllegalArgumentException("transaction name of " + name.length() + " characters");
        }
        out.writeByte(2 * name.length());
        Ucs2.write(out, name);
    }
}

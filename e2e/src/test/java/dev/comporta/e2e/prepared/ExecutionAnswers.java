package dev.comporta.e2e.prepared;

import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * The answer to executions in one message, read call by call: a million of them, so nothing is made of it that is not asked
 * for. All columns are integers.
 */
final class ExecutionAnswers {
    private static final int INT4 = 0x38;
    private static final int INTN = 0x26;
    private static final int DONE_BYTES = 12;
    private static final int NO_SUCH_HANDLE = 8179;

    private final ByteBuf in;
    private final int[] types = new int[2];

    ExecutionAnswers(ByteBuf in) {
        this.in = in;
    }

    /** The next call returned this row, and no other. */
    void row(int value, int text) {
        expect(TokenType.COLMETADATA);
        if (in.readUnsignedShortLE() != types.length) {
            throw wrong("columns");
        }
        for (int i = 0; i < types.length; i++) {
            in.skipBytes(Integer.BYTES + Short.BYTES);
            types[i] = in.readUnsignedByte();
            if (types[i] == INTN) {
                in.skipBytes(1);
            } else if (types[i] != INT4) {
                throw wrong("a column of type " + types[i]);
            }
            in.skipBytes(in.readUnsignedByte() * Character.BYTES);
        }
        expect(TokenType.ROW);
        int first = value(0);
        int second = value(1);
        if (first != value || second != text) {
            throw wrong("row [" + first + ", " + second + "] in place of [" + value + ", " + text + "]");
        }
        expect(TokenType.DONEINPROC);
        in.skipBytes(DONE_BYTES);
        expect(TokenType.RETURNSTATUS);
        in.skipBytes(Integer.BYTES);
        expect(TokenType.DONEPROC);
        in.skipBytes(DONE_BYTES);
    }

    private int value(int column) {
        if (types[column] == INTN && in.readUnsignedByte() != Integer.BYTES) {
            throw wrong("NULL");
        }
        return in.readIntLE();
    }

    /**
     * The next call was refused, in the server's words. In a message of several calls the server is asked for -1 in the place of
     * a number that is not the client's (docs/prepared-statements.md).
     */
    void noSuchHandle(int handle) {
        expect(TokenType.ERROR);
        ByteBuf error = in.readSlice(in.readUnsignedShortLE());
        int number = error.readIntLE();
        error.skipBytes(2);
        String text = error.readSlice(error.readUnsignedShortLE() * Character.BYTES)
                .toString(java.nio.charset.StandardCharsets.UTF_16LE);
        String said = "Could not find prepared statement with handle ";
        if (number != NO_SUCH_HANDLE || !(text.equals(said + handle + ".") || text.equals(said + "-1."))) {
            throw wrong(number + " " + text);
        }
        expect(TokenType.DONEPROC);
        in.skipBytes(DONE_BYTES);
    }

    void end() {
        if (in.isReadable()) {
            throw wrong("more than was asked for");
        }
    }

    private void expect(int token) {
        int found = in.readUnsignedByte();
        if (found != token) {
            throw wrong("token 0x%02X in place of 0x%02X".formatted(found, token));
        }
    }

    private AssertionError wrong(String what) {
        return new AssertionError(what + " before byte " + in.readerIndex() + " of "
                + ByteBufUtil.hexDump(in, 0, Math.min(in.writerIndex(), 2000)));
    }
}

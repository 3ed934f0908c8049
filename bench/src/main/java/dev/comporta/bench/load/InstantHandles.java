package dev.comporta.bench.load;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.token.ColumnMetadata;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.CannedAnswers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.BitSet;
import java.util.List;

/**
 * One session's prepared handles in a server without a database, and its answers to calls. Handles count from 1, and a reset
 * drops them; an unknown handle gets error 8179. Only the first call of a message is handled.
 */
final class InstantHandles {
    private static final int BY_NUMBER = 0xFFFF;
    /** The bytes of an unnamed integer parameter before the length of its value: length of the name, status, type, size. */
    private static final int BEFORE_LENGTH = 4;

    /** The length of DONEPROC, which ends every answer; the handle is at the end of the value before it. */
    private static final int DONE_BYTES = 13;

    private static final TypeInfo INT = TypeInfo.intN(Integer.BYTES);
    private static final int SELECT = 0xC1;
    private static final int EXECUTE = 0xE0;

    private static final ByteBuf ROW = answer(true, false);
    private static final ByteBuf ROW_AND_HANDLE = answer(true, true);
    private static final ByteBuf HANDLE = answer(false, true);
    private static final ByteBuf NOTHING = status();
    private static final ByteBuf UNKNOWN = unknown();

    private final InstantServer.Tally tally;
    private final BitSet live = new BitSet();
    private int last;

    InstantHandles(InstantServer.Tally tally) {
        this.tally = tally;
    }

    void reset() {
        live.clear();
        last = 0;
    }

    /**
     * Borrows the first packet of an RPC.
     *
     * @return the tokens of the response; the receiver owns them
     */
    ByteBuf answer(ByteBuf packet) {
        int at = packet.readerIndex() + PacketHeader.LENGTH;
        at += packet.getIntLE(at);
        int nameLength = packet.getUnsignedShortLE(at);
        at += Short.BYTES;
        int procedure = SystemProcedure.NONE;
        if (nameLength == BY_NUMBER) {
            procedure = packet.getUnsignedShortLE(at);
            at += Short.BYTES;
        } else {
            at += nameLength * Character.BYTES;
        }
        int first = at + Short.BYTES;
        return switch (procedure) {
            case SystemProcedure.PREPARE -> prepared(HANDLE);
            case SystemProcedure.PREP_EXEC -> prepared(ROW_AND_HANDLE);
            case SystemProcedure.EXECUTE -> (has(packet, first) ? ROW : UNKNOWN).retainedDuplicate();
            case SystemProcedure.UNPREPARE -> {
                boolean known = has(packet, first);
                live.clear(number(packet, first));
                yield (known ? NOTHING : UNKNOWN).retainedDuplicate();
            }
            default -> ROW.retainedDuplicate();
        };
    }

    private ByteBuf prepared(ByteBuf answer) {
        live.set(++last);
        tally.prepared();
        ByteBuf copy = answer.copy();
        copy.setIntLE(copy.writerIndex() - DONE_BYTES - Integer.BYTES, last);
        return copy;
    }

    private boolean has(ByteBuf packet, int at) {
        boolean has = live.get(number(packet, at));
        tally.executed(has);
        return has;
    }

    /** 0, which is not a handle, if there is none. */
    private static int number(ByteBuf packet, int at) {
        int value = at + BEFORE_LENGTH;
        boolean given = packet.getUnsignedByte(at) == 0 && packet.getUnsignedByte(value) == Integer.BYTES;
        return given ? Math.max(0, packet.getIntLE(value + 1)) : 0;
    }

    private static ByteBuf answer(boolean row, boolean handle) {
        RowFormat format = new RowFormat(TdsVersion.V7_4, List.of(new ColumnMetadata("answer", INT)));
        ByteBuf out = Unpooled.buffer();
        format.writeMetadata(out);
        if (row) {
            format.writeRow(out, new Object[] {42});
        }
        CannedAnswers.TOKENS.doneInProc(out, DoneStatus.COUNT | DoneStatus.MORE, SELECT, row ? 1 : 0);
        CannedAnswers.TOKENS.returnStatus(out, 0);
        if (handle) {
            CannedAnswers.TOKENS.returnValue(out, 0, "", TokenWriter.OUTPUT_PARAMETER, INT, 0);
        }
        CannedAnswers.TOKENS.doneProc(out, DoneStatus.FINAL, EXECUTE, 0);
        return Unpooled.unreleasableBuffer(out);
    }

    private static ByteBuf status() {
        ByteBuf out = Unpooled.buffer();
        CannedAnswers.TOKENS.returnStatus(out, 0);
        CannedAnswers.TOKENS.doneProc(out, DoneStatus.FINAL, EXECUTE, 0);
        return Unpooled.unreleasableBuffer(out);
    }

    private static ByteBuf unknown() {
        ByteBuf out = Unpooled.buffer();
        String text = "Could not find prepared statement with handle 0.";
        CannedAnswers.TOKENS.error(out, 8179, 1, 16, text, "bench", "sp_execute", 1);
        CannedAnswers.TOKENS.doneProc(out, DoneStatus.ERROR, EXECUTE, 0);
        return Unpooled.unreleasableBuffer(out);
    }
}

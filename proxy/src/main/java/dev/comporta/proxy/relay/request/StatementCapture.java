package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.SystemProcedure;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a request's statement, kept for the log of slow requests while that is on; while it is off, it costs a
 * test of one field. One for each server connection. Borrows the packets.
 */
public final class StatementCapture {
    /** 2,048 characters: longer statements mostly differ in their values, not in what they do. */
    public static final int MOST_BYTES = 4096;

    /** The longest possible name, with server, database and schema, each in brackets. */
    private static final int LONGEST_NAME = 4 * 130;

    private static final byte[] NOTHING = new byte[0];

    private enum State {
        /** It is not needed. */
        OFF,
        /** Text belongs to the request's statement. */
        TAKING,
        /** Text belongs to another call of the same request. */
        TAKEN
    }

    private State state = State.OFF;
    private byte[] bytes = NOTHING;
    private int size;
    private boolean cutShort;
    private int calls;
    private String procedure = "";
    private @Nullable PreparedText executed;

    void begin(boolean wanted, int type) {
        state = wanted ? State.TAKING : State.OFF;
        if (!wanted) {
            return;
        }
        if (bytes.length == 0) {
            bytes = new byte[MOST_BYTES];
        }
        size = 0;
        cutShort = false;
        calls = 0;
        executed = null;
        procedure = switch (type) {
            case PacketType.BULK_LOAD -> "bulk load";
            case PacketType.TRANSACTION_MANAGER -> "transaction manager request";
            default -> "";
        };
    }

    public boolean isOn() {
        return state != State.OFF;
    }

    /** A call of an RPC begins. */
    void call(int procId, CharSequence name) {
        if (state == State.OFF) {
            return;
        }
        calls++;
        if (calls > 1) {
            state = State.TAKEN;
            return;
        }
        procedure = SystemProcedure.isKnown(procId)
                ? SystemProcedure.name(procId)
                : name.subSequence(0, Math.min(name.length(), LONGEST_NAME)).toString();
    }

    void text(ByteBuf packet, int index, int length) {
        if (state != State.TAKING) {
            return;
        }
        int more = Math.min(length, MOST_BYTES - size);
        packet.getBytes(index, bytes, size, more);
        size += more;
        cutShort |= more < length;
    }

    /** The present call executes a prepared statement. */
    void executes(PreparedText text) {
        if (state == State.TAKING) {
            executed = text;
        }
    }

    // The following are valid only while it is on.

    /** The first procedure, and the number of further calls. */
    public String procedure() {
        return calls > 1 ? procedure + " and " + (calls - 1) + " more calls" : procedure;
    }

    /** A copy of the statement's beginning. */
    public byte[] statement() {
        PreparedText prepared = executed;
        return prepared == null
                ? Arrays.copyOf(bytes, size)
                : Arrays.copyOf(prepared.text(), Math.min(prepared.text().length, MOST_BYTES));
    }

    public boolean isCutShort() {
        PreparedText prepared = executed;
        return prepared == null ? cutShort : prepared.text().length > MOST_BYTES;
    }
}

package dev.comporta.tds.request;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;

/**
 * The beginning of an RPC message, up to the end of its first parameter if that is an integer: enough to see which handle is
 * executed or unprepared before the message is walked. Holds the last head that was read. One thread at a time.
 */
public final class RpcHead {
    private static final int BY_NUMBER_LENGTH = 2 * Short.BYTES;

    /** The longest name, in characters, of a system procedure with a database and a schema before it. */
    private static final int LONGEST_NAME = 300;

    private final NameBuffer name = new NameBuffer();

    private int procedure = SystemProcedure.NONE;
    private int end;
    private boolean hasInteger;
    private long integer;

    /**
     * Reads the head of a message from its first packet. Borrows the packet.
     *
     * @return whether a system procedure is called and the packet reaches at least to its parameters
     */
    public boolean read(ByteBuf packet, RequestFormat format) {
        procedure = SystemProcedure.NONE;
        hasInteger = false;
        int at = nameAt(packet, format);
        int left = packet.writerIndex() - at;
        if (at < 0 || left < BY_NUMBER_LENGTH) {
            return false;
        }
        int nameLength = packet.getUnsignedShortLE(at);
        if (nameLength == RpcCall.BY_NUMBER) {
            procedure = packet.getUnsignedShortLE(at + Short.BYTES);
            at += BY_NUMBER_LENGTH;
        } else {
            int bytes = 2 * nameLength;
            if (left < Short.BYTES + bytes || nameLength > LONGEST_NAME) {
                return false;
            }
            name.begin(nameLength);
            name.append(packet, at + Short.BYTES, bytes);
            procedure = SystemProcedure.byName(name);
            at += Short.BYTES + bytes;
        }
        at += Short.BYTES; // option flags
        if (format.enclavePackages()) {
            at = EnclavePackage.end(packet, at);
        }
        if (at < 0 || at > packet.writerIndex() || !SystemProcedure.isKnown(procedure)) {
            procedure = SystemProcedure.NONE;
            return false;
        }
        readInteger(packet, at);
        return true;
    }

    /** The index of the procedure's name, after ALL_HEADERS; -1 if the packet ends before it. */
    private static int nameAt(ByteBuf packet, RequestFormat format) {
        int at = packet.readerIndex() + PacketHeader.LENGTH;
        if (!format.version().hasAllHeaders()) {
            return at;
        }
        if (packet.writerIndex() - at < Integer.BYTES) {
            return -1;
        }
        long headers = packet.getUnsignedIntLE(at);
        return headers < Integer.BYTES || headers > packet.writerIndex() - at ? -1 : at + (int) headers;
    }

    private void readInteger(ByteBuf packet, int start) {
        int at = start;
        int last = packet.writerIndex();
        if (at >= last) {
            return;
        }
        // The parameter's name and status.
        at += 1 + 2 * packet.getUnsignedByte(at) + 1;
        if (at >= last) {
            return;
        }
        int type = packet.getUnsignedByte(at++);
        int length = Integer.BYTES;
        if (type == DataType.INTN.code()) {
            if (at + 2 > last) {
                return;
            }
            length = packet.getUnsignedByte(at + 1);
            at += 2;
        } else if (type != DataType.INT4.code()) {
            return;
        }
        if (length == Integer.BYTES && at + length <= last) {
            integer = packet.getIntLE(at);
            hasInteger = true;
            end = at + length;
        }
    }

    /** The procedure's number in {@link SystemProcedure}, whether called by number or by name. */
    public int procedure() {
        return procedure;
    }

    /** Whether the first parameter is a four-byte integer that is not null. */
    public boolean hasInteger() {
        return hasInteger;
    }

    public long integer() {
        return integer;
    }

    /** Whether the packet ends with that integer: there is no other parameter, and no other call. */
    public boolean isAll(ByteBuf packet) {
        return hasInteger && PacketHeader.isEndOfMessage(packet) && end == packet.writerIndex();
    }
}

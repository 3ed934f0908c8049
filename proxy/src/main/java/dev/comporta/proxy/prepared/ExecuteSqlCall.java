package dev.comporta.proxy.prepared;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.EnclavePackage;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.SystemProcedure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a call of sp_execute into one of sp_executesql: replaces the handle by the statement's text and declaration, and
 * leaves the rest as it is. The server finds the plan by the text in its cache, which all sessions share, so this costs
 * little more than the handle, and no round trip.
 */
public final class ExecuteSqlCall {
    /** Added to the ordinals of output parameters: two parameters replace one. */
    public static final int ORDINAL_SHIFT = 1;

    private final RequestFormat format;
    private final int packetSize;
    private final ByteBufAllocator allocator;

    public ExecuteSqlCall(RequestFormat format, int packetSize, ByteBufAllocator allocator) {
        this.format = format;
        this.packetSize = packetSize;
        this.allocator = allocator;
    }

    /**
     * @param payload of the message with the call of sp_execute, which is the only one in it; borrowed
     * @param handleEnd the offset in it at which the handle ends
     * @return the packets of the new message
     */
    public List<ByteBuf> packets(ByteBuf payload, int handleEnd, PreparedText text) {
        ByteBuf message =
                allocator.buffer(payload.readableBytes() + text.text().length + text.declaration().length + 64);
        try {
            TdsVersion version = format.version();
            int headers = version.hasAllHeaders() ? payload.getIntLE(payload.readerIndex()) : 0;
            int start = payload.readerIndex();
            message.writeBytes(payload, start, headers);
            int flagsAt = flagsAt(payload, start + headers);
            CallText.writeHead(message, SystemProcedure.EXECUTE_SQL, payload.getUnsignedShortLE(flagsAt));
            if (format.enclavePackages()) {
                int packageAt = flagsAt + Short.BYTES;
                message.writeBytes(payload, packageAt, EnclavePackage.end(payload, packageAt) - packageAt);
            }
            CallText.writeParameter(message, text.text(), version);
            if (text.declaration().length > 0) {
                CallText.writeParameter(message, text.declaration(), version);
            }
            message.writeBytes(payload, start + handleEnd, payload.readableBytes() - handleEnd);
            return cut(message);
        } finally {
            message.release();
        }
    }

    /** The index of the option flags. */
    private static int flagsAt(ByteBuf payload, int nameAt) {
        int nameLength = payload.getUnsignedShortLE(nameAt);
        int bytes = nameLength == CallText.BY_NUMBER ? Short.BYTES : 2 * nameLength;
        return nameAt + Short.BYTES + bytes;
    }

    /** Cuts it into packets of full size but the last, as servers require. */
    private List<ByteBuf> cut(ByteBuf message) {
        int room = packetSize - PacketHeader.LENGTH;
        List<ByteBuf> packets = new ArrayList<>(1 + message.readableBytes() / room);
        while (message.isReadable()) {
            int part = Math.min(room, message.readableBytes());
            ByteBuf packet = allocator.ioBuffer(PacketHeader.LENGTH + part);
            packet.writeByte(PacketType.RPC)
                    .writeByte(part == message.readableBytes() ? PacketHeader.STATUS_EOM : 0)
                    .writeShort(PacketHeader.LENGTH + part)
                    .writeShort(0)
                    .writeByte(packets.size() + 1)
                    .writeByte(0);
            packets.add(packet.writeBytes(message, part));
        }
        return packets;
    }
}

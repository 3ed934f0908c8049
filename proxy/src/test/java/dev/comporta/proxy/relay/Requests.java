package dev.comporta.proxy.relay;

import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SqlBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Requests as clients send them, each in one packet. */
final class Requests {
    static final RequestFormat FORMAT = RequestFormat.of(TdsVersion.V7_4);

    private Requests() {}

    static ByteBuf batch(String sql) {
        ByteBuf body = Unpooled.buffer();
        new SqlBatch(AllHeaders.AUTOCOMMIT, sql).write(body, FORMAT);
        return packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, body);
    }

    static ByteBuf calls(RpcCall... calls) {
        return calls(FORMAT, calls);
    }

    static ByteBuf calls(RequestFormat format, RpcCall... calls) {
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, calls).write(body, format);
        return packet(PacketType.RPC, PacketHeader.STATUS_EOM, body);
    }

    static ByteBuf packet(int type, int status, ByteBuf body) {
        return Unpooled.buffer()
                .writeByte(type)
                .writeByte(status)
                .writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body);
    }

    /** What is made of a request that comes in these packets. */
    static RequestInspector inspected(ByteBuf... packets) {
        return inspected(true, packets);
    }

    /** @param fetchesDescribed whether the server describes the rows of sp_cursorfetch as it sends them */
    static RequestInspector inspected(boolean fetchesDescribed, ByteBuf... packets) {
        RequestInspector inspector = new RequestInspector(FORMAT);
        inspector.begin(packets[0], ProcedureRules.SHARE, null, fetchesDescribed, false);
        for (ByteBuf packet : packets) {
            inspector.read(packet);
        }
        return inspector;
    }
}

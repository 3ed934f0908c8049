package dev.comporta.proxy.relay;

import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketSink;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.Attention;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** What the proxy itself says to a server, in no client's name. One for each server connection. */
final class ProxyQuestions {
    private final MessageWriter writer;
    private final ByteBufAllocator allocator;
    private final boolean hasHeaders;

    ProxyQuestions(LoginResponse login, ByteBufAllocator allocator, PacketSink sink) {
        this.allocator = allocator;
        writer = new MessageWriter(allocator, sink);
        writer.packetSize(login.packetSize());
        hasHeaders = login.format().version().hasAllHeaders();
    }

    /**
     * @param reset whether the session is to be reset before it runs
     * @param transaction the server's number of the transaction that is open; 0 for none
     */
    void batch(String sql, boolean reset, long transaction) {
        writer.begin(PacketType.SQL_BATCH, reset ? PacketHeader.STATUS_RESETCONNECTION : 0);
        if (hasHeaders) {
            ByteBuf headers = allocator.buffer(32);
            AllHeaders.inTransaction(transaction).write(headers);
            writer.writeBytes(headers);
            headers.release();
        }
        writer.writeText(sql).end();
    }

    void attention() {
        Attention.write(writer);
    }
}

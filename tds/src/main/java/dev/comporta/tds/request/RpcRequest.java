package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** A message that calls one or more procedures in order. */
public record RpcRequest(AllHeaders headers, List<Entry> entries) {
    /**
     * One of the calls.
     *
     * @param execute false if the NO_EXEC flag follows: the call gets a response, but is not executed
     */
    public record Entry(RpcCall call, boolean execute) {}

    public RpcRequest {
        entries = List.copyOf(entries);
    }

    public static RpcRequest of(AllHeaders headers, RpcCall... calls) {
        List<Entry> entries = new ArrayList<>();
        for (RpcCall call : calls) {
            entries.add(new Entry(call, true));
        }
        return new RpcRequest(headers, entries);
    }

    /** Borrows the body of a whole message. */
    public static RpcRequest read(ByteBuf body, RequestFormat format) {
        ByteBuf in = body.slice();
        AllHeaders headers = format.version().hasAllHeaders() ? AllHeaders.read(in) : AllHeaders.AUTOCOMMIT;
        List<Entry> entries = new ArrayList<>();
        try {
            do {
                RpcCall call = RpcCall.read(in, format);
                // A flag after the last call is allowed, and needs no call to follow.
                int flag = in.isReadable()
                        ? in.readUnsignedByte()
                        : format.version().rpcSeparator();
                entries.add(new Entry(call, flag == format.version().rpcSeparator()));
            } while (in.isReadable());
        } catch (IndexOutOfBoundsException _) {
            throw new ProtocolException("the RPC is cut short");
        }
        return new RpcRequest(headers, entries);
    }

    public void write(ByteBuf out, RequestFormat format) {
        if (format.version().hasAllHeaders()) {
            headers.write(out);
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            entry.call.write(out, format);
            if (!entry.execute) {
                out.writeByte(RpcCall.NO_EXEC);
            } else if (i < entries.size() - 1) {
                out.writeByte(format.version().rpcSeparator());
            }
        }
    }
}

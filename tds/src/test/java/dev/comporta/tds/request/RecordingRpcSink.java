package dev.comporta.tds.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Records each call as one line, and the pieces of a value as one value. */
final class RecordingRpcSink implements RpcSink {
    final List<String> events = new ArrayList<>();
    private final IntPredicate wantedOrdinals;
    private final ByteBuf value = Unpooled.buffer();

    RecordingRpcSink(IntPredicate wantedOrdinals) {
        this.wantedOrdinals = wantedOrdinals;
    }

    static RecordingRpcSink ofEverything() {
        return new RecordingRpcSink(ordinal -> true);
    }

    @Override
    public void call(int procId, CharSequence name) {
        events.add("call %d %s".formatted(procId, name));
    }

    @Override
    public boolean parameter(int ordinal, CharSequence name, int status, int type) {
        finishValue();
        events.add("%d %s status %d type %02x".formatted(ordinal, name, status, type));
        return wantedOrdinals.test(ordinal);
    }

    @Override
    public void nullValue() {
        events.add("null");
    }

    @Override
    public void integer(long number, ByteBuf packet, int index, int length) {
        events.add(Long.toString(number));
    }

    @Override
    public void bytes(ByteBuf packet, int index, int length) {
        value.writeBytes(packet, index, length);
    }

    @Override
    public void callEnd(boolean execute) {
        finishValue();
        events.add(execute ? "execute" : "taken back");
    }

    /** Forgets all of the message so far. */
    void clear() {
        events.clear();
        value.clear();
    }

    private void finishValue() {
        if (value.isReadable()) {
            events.add(ByteBufUtil.hexDump(value));
            value.clear();
        }
    }
}

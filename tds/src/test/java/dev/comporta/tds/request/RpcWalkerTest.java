package dev.comporta.tds.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class RpcWalkerTest {
    private static final RequestFormat TDS_7_4 = RequestFormat.of(TdsVersion.V7_4);
    private static final RequestFormat TDS_7_1 = RequestFormat.of(TdsVersion.V7_1);

    @Test
    void executeSqlIsToldWithEveryValue() {
        assertThat(events("request/rpc-executesql", TDS_7_4))
                .containsExactly(
                        "call 10 ",
                        "0  status 0 type e7",
                        utf16("SELECT @o = @p"),
                        "1  status 0 type e7",
                        utf16("@p int, @o int out"),
                        "2 @p status 0 type 26",
                        "42",
                        "3 @o status 1 type 26",
                        "null",
                        "execute");
    }

    @Test
    void everyCallOfAMessageIsTold() {
        assertThat(events("request/rpc-several", TDS_7_4))
                .containsExactly(
                        "call 0 sys.sp_who",
                        "execute",
                        "call 15 sp_unprepare",
                        "0  status 0 type 26",
                        "7",
                        "taken back",
                        "call 12 ",
                        "0  status 0 type 38",
                        "-5",
                        "1 @x status 2 type e7",
                        "null",
                        "2 @y status 0 type a5",
                        "01020304",
                        "3 @z status 0 type 68",
                        "01",
                        "execute");
    }

    @Test
    void callsOfTds71AreTold() {
        assertThat(events("request/rpc-7.1", TDS_7_1))
                .containsExactly(
                        "call 10 sp_executesql",
                        "0  status 0 type 63",
                        utf16("SELECT 1"),
                        "execute",
                        "call 0 foo",
                        "0 @a status 0 type a7",
                        "616263",
                        "1 @b status 1 type 6c",
                        "017b000000",
                        "execute");
    }

    @Test
    void tablesArePassedOver() {
        assertThat(events("request/rpc-table", TDS_7_4))
                .containsExactly(
                        "call 0 dbo.up",
                        "0 @a status 0 type 26",
                        "255",
                        "1 @t status 0 type f3",
                        "2 @e status 0 type f3",
                        "3 @b status 0 type 26",
                        "-1",
                        "execute");
    }

    @Test
    void encryptionAndNamedTypesArePassedOver() {
        assertThat(events("request/rpc-encrypted", TDS_7_4))
                .containsExactly(
                        "call 0 p",
                        "0 @s status 8 type a5",
                        "deadbeef",
                        "1 @u status 8 type a5",
                        "null",
                        "2 @g status 0 type f0",
                        "abcd",
                        "3 @x status 0 type f1",
                        utf16("<a>b</a>"),
                        "4 @v status 0 type 62",
                        "null",
                        "execute");
    }

    @Test
    void enclavePackageIsPassedOver() {
        RequestFormat format = new RequestFormat(TdsVersion.V7_4, true);
        assertThat(events("request/rpc-enclave", format))
                .containsExactly("call 0 p", "0 @a status 0 type 26", "5", "execute");
        ByteBuf empty = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, RpcCall.of("p")).write(empty, format);
        RecordingRpcSink sink = RecordingRpcSink.ofEverything();
        Packets.of(empty, 512, 1).forEach(new RpcWalker(format, sink)::walk);
        assertThat(sink.events).containsExactly("call 0 p", "execute");
    }

    @Test
    void valuesThatNobodyWantsAreNotShown() {
        RecordingRpcSink sink = new RecordingRpcSink(ordinal -> ordinal == 2);
        Packets.of(body("request/rpc-executesql"), 5, 1).forEach(new RpcWalker(TDS_7_4, sink)::walk);
        assertThat(sink.events)
                .containsExactly(
                        "call 10 ",
                        "0  status 0 type e7",
                        "1  status 0 type e7",
                        "2 @p status 0 type 26",
                        "42",
                        "3 @o status 1 type 26",
                        "execute");
    }

    @Test
    void integerCanBeReplacedInPlaceWhereverItsPacketsAreCut() {
        RpcRequest before = executeOfHandle(7);
        ByteBuf body = Unpooled.buffer();
        before.write(body, TDS_7_4);
        for (int size = 4; size <= body.readableBytes(); size++) {
            List<ByteBuf> packets = Packets.of(body.duplicate(), size, 1);
            Replacer replacer = new Replacer(0x01020304);
            RpcWalker walker = new RpcWalker(TDS_7_4, replacer);
            for (ByteBuf packet : packets) {
                walker.walk(packet);
                replacer.previous = walker.endsWithinInteger() ? packet : null;
            }
            ByteBuf after = Unpooled.buffer();
            packets.forEach(packet -> after.writeBytes(packet, packet.readerIndex() + 8, packet.readableBytes() - 8));
            assertThat(RpcRequest.read(after, TDS_7_4)).isEqualTo(executeOfHandle(0x01020304));
        }
    }

    @Test
    void cutMessagesAreRefusedAndTheNextIsWalkedAgain() {
        byte[] bytes = Fixture.load("request/rpc-executesql").bytes();
        List<String> whole = events("request/rpc-executesql", TDS_7_4);
        RecordingRpcSink sink = RecordingRpcSink.ofEverything();
        RpcWalker walker = new RpcWalker(TDS_7_4, sink);
        // At these lengths a parameter is complete, and a shorter call is a call.
        List<Integer> complete = List.of(28, 68, 116, 129);
        for (int length = 0; length < bytes.length; length++) {
            List<ByteBuf> packets = Packets.of(Unpooled.wrappedBuffer(bytes, 0, length), 512, 1);
            if (complete.contains(length)) {
                packets.forEach(walker::walk);
            } else {
                assertThatThrownBy(() -> packets.forEach(walker::walk))
                        .as("cut at %d", length)
                        .isInstanceOf(ProtocolException.class);
            }
            sink.clear();
            Packets.of(Unpooled.wrappedBuffer(bytes), 512, 1).forEach(walker::walk);
            assertThat(sink.events).as("after a cut at %d", length).isEqualTo(whole);
            sink.clear();
        }
    }

    @Test
    void messageThatIsGivenUpNeedsNoEnd() {
        byte[] bytes = Fixture.load("request/rpc-executesql").bytes();
        RecordingRpcSink sink = RecordingRpcSink.ofEverything();
        RpcWalker walker = new RpcWalker(TDS_7_4, sink);
        Packets.of(Unpooled.wrappedBuffer(bytes, 0, 50), 512, 3).forEach(walker::walk);
        assertThat(sink.events).containsExactly("call 10 ", "0  status 0 type e7");
        sink.clear();
        Packets.of(Unpooled.wrappedBuffer(bytes), 512, 1).forEach(walker::walk);
        assertThat(sink.events).isEqualTo(events("request/rpc-executesql", TDS_7_4));
    }

    @Test
    void whatCannotBeWalkedIsRefused() {
        for (String bad : new String[] {
            "0100 \"p\" 0000 00 00 99", // unknown type
            "0100 \"p\" 0000 00 00 f3 00 00 00 0100 00000000 0000 f3", // table in a table
            "0100 \"p\" 0000 00 00 f3 00 00 00 0000", // table without columns
            "0100 \"p\" 0000 00 00 f3 00 00 00 0100 00000000 0000 1f", // a column without bytes: a row is a byte of
            // work
            "0100 \"p\" 0000 00 00 f3 00 00 00 ffff 00 01", // row without columns
            "0100 \"p\" 0000 00 00 f3 00 00 00 ffff 12", // unknown token
            "ff0f", // a name that is too long
        }) {
            List<ByteBuf> packets =
                    Packets.of(Unpooled.wrappedBuffer(Fixture.ofText(bad).bytes()), 512, 0);
            RpcWalker walker = new RpcWalker(TDS_7_1, RecordingRpcSink.ofEverything());
            assertThatThrownBy(() -> packets.forEach(walker::walk)).as(bad).isInstanceOf(ProtocolException.class);
        }
    }

    private static RpcRequest executeOfHandle(int handle) {
        return RpcRequest.of(
                AllHeaders.AUTOCOMMIT,
                RpcCall.of(
                        SystemProcedure.EXECUTE,
                        RpcParameter.of("", TypeInfo.intN(4), handle),
                        RpcParameter.of("@a", TypeInfo.nvarchar(5), "abc")));
    }

    private static List<String> events(String fixture, RequestFormat format) {
        ByteBuf body = body(fixture);
        RecordingRpcSink whole = RecordingRpcSink.ofEverything();
        Packets.of(body.duplicate(), body.readableBytes(), 1).forEach(new RpcWalker(format, whole)::walk);
        for (int size = 1; size < body.readableBytes(); size++) {
            RecordingRpcSink cut = RecordingRpcSink.ofEverything();
            Packets.of(body.duplicate(), size, 1).forEach(new RpcWalker(format, cut)::walk);
            assertThat(cut.events).as("in packets of %d", size).isEqualTo(whole.events);
        }
        return whole.events;
    }

    private static ByteBuf body(String fixture) {
        return Unpooled.wrappedBuffer(Fixture.load(fixture).bytes());
    }

    private static String utf16(String text) {
        ByteBuf bytes = Unpooled.buffer();
        Ucs2.write(bytes, text);
        return ByteBufUtil.hexDump(bytes);
    }

    /** Replaces the first parameter as a proxy would that gives clients handles of its own. */
    private static final class Replacer implements RpcSink {
        private final int replacement;
        private ByteBuf previous;

        Replacer(int replacement) {
            this.replacement = replacement;
        }

        @Override
        public void call(int procId, CharSequence name) {}

        @Override
        public boolean parameter(int ordinal, CharSequence name, int status, int type) {
            return ordinal == 0;
        }

        @Override
        public void nullValue() {
            throw new AssertionError();
        }

        @Override
        public void integer(long value, ByteBuf packet, int index, int length) {
            assertThat(value).isEqualTo(7);
            int bodyStart = packet.readerIndex() + 8;
            for (int i = 0; i < length; i++) {
                int at = index + i;
                if (at < bodyStart) {
                    previous.setByte(previous.writerIndex() - (bodyStart - at), replacement >>> 8 * i);
                } else {
                    packet.setByte(at, replacement >>> 8 * i);
                }
            }
        }

        @Override
        public void bytes(ByteBuf packet, int index, int length) {
            throw new AssertionError();
        }

        @Override
        public void callEnd(boolean execute) {}
    }
}

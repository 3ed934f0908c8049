package dev.comporta.proxy;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Sound sessions, each with one packet changed at random. The same seed gives the same sessions. */
final class SessionMutator {
    /** @param isAnswered whether an answer is sure to come before the client goes on */
    record Part(byte[] bytes, boolean isAnswered) {}

    private static final int[] EDGES = {0, 1, 0x7F, 0x80, 0xFE, 0xFF, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x7FFFFFFF, -1};
    private static final RequestFormat FORMAT = RequestFormat.of(TdsVersion.V7_4);
    private static final TypeInfo TEXT = TypeInfo.nvarchar(100);

    private final Random random;
    private final List<byte[]> requests = List.of(
            batch("SELECT 1"),
            batch("SET DATEFIRST 3; USE Other; SET LANGUAGE Deutsch"),
            batch("BEGIN TRANSACTION"),
            batch("CREATE TABLE #t (n INT); INSERT INTO #t VALUES (1)"),
            batch("SELECT 'it''s' /* a /* nested */ comment */ AS [a]]b], \"c\" -- end"),
            rpc(RpcCall.of(
                    SystemProcedure.EXECUTE_SQL,
                    RpcParameter.of("", TEXT, "SELECT @a"),
                    RpcParameter.of("", TEXT, "@a INT"),
                    RpcParameter.of("@a", TypeInfo.intN(4), 1))),
            rpc(RpcCall.of(
                    SystemProcedure.PREP_EXEC,
                    RpcParameter.output("", TypeInfo.intN(4), null),
                    RpcParameter.of("", TEXT, "@a INT"),
                    RpcParameter.of("", TEXT, "SELECT @a"),
                    RpcParameter.of("", TypeInfo.intN(4), 1))),
            rpc(RpcCall.of("sp_executesql", RpcParameter.of("", TEXT, "SELECT 1")), RpcCall.of("sp_who")),
            packet(PacketType.TRANSACTION_MANAGER, beginTransaction()),
            packet(PacketType.ATTENTION, Unpooled.EMPTY_BUFFER));

    SessionMutator(long seed) {
        random = new Random(seed);
    }

    List<Part> next() {
        List<byte[]> sound = new ArrayList<>();
        sound.add(packet(PacketType.PRELOGIN, prelogin(random.nextInt(4) != 0)));
        sound.add(packet(PacketType.LOGIN7, login()));
        for (int i = random.nextInt(4); i >= 0; i--) {
            sound.add(requests.get(random.nextInt(requests.size())));
        }
        int changed = random.nextInt(sound.size());
        List<Part> session = new ArrayList<>();
        for (int i = 0; i < sound.size(); i++) {
            byte[] bytes = i == changed ? mutate(sound.get(i)) : sound.get(i);
            session.add(new Part(bytes, i < changed));
        }
        return session;
    }

    private byte[] mutate(byte[] sound) {
        byte[] bytes = sound.clone();
        for (int i = random.nextInt(3); i >= 0; i--) {
            bytes = mutateOnce(bytes);
        }
        return bytes;
    }

    private byte[] mutateOnce(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(8)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> writeEdge(bytes, at);
            case 3 -> writeEdge(bytes, random.nextInt(PacketHeader.LENGTH));
            case 4 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 5 -> {
                byte[] noise = new byte[1 + random.nextInt(40)];
                random.nextBytes(noise);
                return spliced(bytes, at, noise);
            }
            case 6 -> {
                return spliced(bytes, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), at));
            }
            default -> {
                // Another packet in the middle of this one.
                return spliced(bytes, at, requests.get(random.nextInt(requests.size())));
            }
        }
        return bytes;
    }

    private void writeEdge(byte[] bytes, int at) {
        int edge = EDGES[random.nextInt(EDGES.length)];
        int width = 1 << random.nextInt(3);
        for (int i = 0; i < width && at + i < bytes.length; i++) {
            bytes[at + i] = (byte) (edge >>> (8 * i));
        }
    }

    private static byte[] spliced(byte[] bytes, int at, byte[] inserted) {
        ByteBuf all = Unpooled.buffer();
        all.writeBytes(bytes, 0, at).writeBytes(inserted).writeBytes(bytes, at, bytes.length - at);
        return ByteBufUtil.getBytes(all);
    }

    private static ByteBuf prelogin(boolean plain) {
        ByteBuf out = Unpooled.buffer();
        Prelogin.builder(new Prelogin.Version(1, 0, 0, 0))
                .encryption(plain ? Encryption.NOT_SUPPORTED : Encryption.ON)
                .instance("")
                .threadId(new byte[4])
                .mars(false)
                .build()
                .write(out);
        return out;
    }

    private static ByteBuf login() {
        ByteBuf out = Unpooled.buffer();
        new Login7Builder()
                .tdsVersion(TdsVersion.V7_4.wireValue())
                .userName(ProxyFixture.USER)
                .password(Secret.ofText(ProxyFixture.PASSWORD))
                .database("AppDB")
                .build()
                .write(out);
        return out;
    }

    private static ByteBuf beginTransaction() {
        ByteBuf out = Unpooled.buffer();
        AllHeaders.AUTOCOMMIT.write(out);
        return out.writeShortLE(5).writeByte(0).writeByte(0);
    }

    private static byte[] batch(String sql) {
        return packet(PacketType.SQL_BATCH, RawClient.batch(sql));
    }

    private static byte[] rpc(RpcCall... calls) {
        ByteBuf out = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, calls).write(out, FORMAT);
        return packet(PacketType.RPC, out);
    }

    private static byte[] packet(int type, ByteBuf body) {
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(type).writeByte(PacketHeader.STATUS_EOM);
        packet.writeShort(PacketHeader.LENGTH + body.readableBytes());
        packet.writeInt(0).writeBytes(body);
        return ByteBufUtil.getBytes(packet);
    }
}

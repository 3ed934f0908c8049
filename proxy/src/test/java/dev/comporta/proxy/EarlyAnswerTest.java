package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk loads that fail: the client hears why, and nobody else has the session in which it happened. */
@Timeout(60)
class EarlyAnswerTest {
    private static final int WRONG_COLUMN = 4815;

    @Test
    void aServerThatAnswersBeforeTheBulkLoadIsCompleteIsHeard() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection other = fixture.connect();
                RawClient loader = RawClient.loggedIn(fixture.proxy.port())) {
            run(other, "CREATE TABLE notes (id INT)");
            fixture.server.misbehave(Misbehaviour.NONE.withRefuseBulkLoads(true));
            loader.sendBatch("INSERT BULK notes (id INT)");
            loader.response();
            loader.packet(PacketType.BULK_LOAD, 0, columns());
            assertThat(loader.errorNumber()).isEqualTo(WRONG_COLUMN);
            // It had sent more before it looked.
            loader.packet(PacketType.BULK_LOAD, PacketHeader.STATUS_EOM, rowAndEnd());
            loader.sendBatch("SELECT 1");
            assertThat(loader.doneStatus() & DoneStatus.ERROR).isZero();
            assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
        }
    }

    @Test
    void insideATransactionTheClientIsHeardOutAndThenHungUpOn() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection other = fixture.connect();
                RawClient loader = RawClient.loggedIn(fixture.proxy.port())) {
            run(other, "CREATE TABLE notes (id INT)");
            fixture.server.misbehave(Misbehaviour.NONE.withRefuseBulkLoads(true));
            loader.sendBatch("BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
            loader.response();
            loader.sendBatch("INSERT BULK notes (id INT)");
            loader.response();
            loader.packet(PacketType.BULK_LOAD, 0, columns());
            assertThat(loader.errorNumber()).isEqualTo(WRONG_COLUMN);
            loader.packet(PacketType.BULK_LOAD, PacketHeader.STATUS_EOM, rowAndEnd());
            assertThat(loader.isHungUpOn()).isTrue();
            assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
        }
    }

    /** Both clients are of one make: others have a pool, and so a connection, of their own. */
    @Test
    void aSessionInWhichABulkLoadFailedServesNobodyElse() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        ServerDial.Mode.LOGIN,
                        server -> server.habits(ServerHabits.BABELFISH),
                        settings -> settings.maxConnections(1).minIdle(0));
                RawClient other = RawClient.loggedIn(fixture.proxy.port());
                RawClient loader = RawClient.loggedIn(fixture.proxy.port())) {
            send(other, "CREATE TABLE notes (id INT PRIMARY KEY)");
            send(other, "INSERT INTO notes VALUES (7)");
            load(loader, true);
            send(other, "DELETE FROM notes");
            load(other, false);
            send(other, "DELETE FROM notes");
            load(loader, false);
        }
    }

    private static void send(RawClient client, String sql) throws Exception {
        client.sendBatch(sql);
        assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
    }

    private static void load(RawClient loader, boolean fails) throws Exception {
        loader.sendBatch("INSERT BULK notes (id INT)");
        loader.response();
        loader.packet(PacketType.BULK_LOAD, PacketHeader.STATUS_EOM, columns().writeBytes(rowAndEnd()));
        assertThat((loader.doneStatus() & DoneStatus.ERROR) != 0).isEqualTo(fails);
    }

    /** COLMETADATA of one INT. */
    private static ByteBuf columns() {
        ByteBuf name = Unpooled.buffer();
        "id".chars().forEach(name::writeShortLE);
        return Unpooled.buffer()
                .writeByte(0x81)
                .writeShortLE(1)
                .writeIntLE(0)
                .writeShortLE(0)
                .writeByte(0x38)
                .writeByte(2)
                .writeBytes(name);
    }

    /** A ROW with 7, and DONE. */
    private static ByteBuf rowAndEnd() {
        return Unpooled.buffer().writeByte(0xD1).writeIntLE(7).writeByte(0xFD).writeZero(12);
    }
}

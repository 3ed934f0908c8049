package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.sql.Connection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that cancels its request together with sending it harms nobody but itself. */
@Timeout(60)
class CancelAtOnceTest {
    private static final int ROUNDS = 60;

    @Test
    void whoWaitsForTheSameConnectionIsServed() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                RawClient hasty = RawClient.loggedIn(fixture.proxy.port())) {
            besideABystander(fixture, () -> {
                hasty.raw(requestWithResetAndAttention());
                awaitAcknowledgement(hasty);
            });
        }
    }

    @Test
    void whoWaitsIsServedThoughTheHastyOneLeavesToo() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1)) {
            besideABystander(fixture, () -> {
                try (RawClient hasty = RawClient.loggedIn(fixture.proxy.port())) {
                    hasty.raw(requestWithResetAndAttention());
                }
            });
        }
    }

    /** A server that is said to tell of its transactions is SQL Server, which hears an attention at any time. */
    @ParameterizedTest
    @EnumSource(
            value = BucketSpec.TransactionTracking.class,
            names = {"AUTO", "ENVCHANGE"})
    void aRequestThatResetsItsSessionIsCancelledBeforeItAnswers(BucketSpec.TransactionTracking tracking)
            throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Proxy proxy = fixture.startBeside(tracking);
                RawClient client = RawClient.loggedIn(proxy.port())) {
            client.sendBatch("WAITFOR DELAY '00:00:40'", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION);
            await().until(() -> fixture.server.counters().resets() > 0);
            client.sendAttention();
            client.timeout(20_000);
            awaitAcknowledgement(client);
        }
    }

    private static void awaitAcknowledgement(RawClient client) throws IOException {
        int status;
        do {
            status = client.doneStatus();
        } while ((status & DoneStatus.ATTN) == 0);
    }

    private interface Round {
        void play() throws Exception;
    }

    private static void besideABystander(ProxyFixture fixture, Round round) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection bystander = fixture.connect()) {
            Future<?> bystanding = threads.submit(() -> {
                while (!over.get()) {
                    assertThat(ask(bystander, "SELECT 1")).isEqualTo("1");
                    served.incrementAndGet();
                }
                return null;
            });
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    round.play();
                }
                int before = served.get();
                await().until(() -> served.get() > before || bystanding.isDone());
            } finally {
                over.set(true);
            }
            bystanding.get();
        }
    }

    private static byte[] requestWithResetAndAttention() {
        ByteBuf both = Unpooled.buffer();
        packet(
                both,
                PacketType.SQL_BATCH,
                PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION,
                RawClient.batch("SELECT 1"));
        packet(both, PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.EMPTY_BUFFER);
        return ByteBufUtil.getBytes(both);
    }

    private static void packet(ByteBuf out, int type, int status, ByteBuf body) {
        out.writeByte(type)
                .writeByte(status)
                .writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body);
    }
}

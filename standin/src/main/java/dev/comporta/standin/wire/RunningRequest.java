package dev.comporta.standin.wire;

import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.tds.ProtocolException;
import io.netty.channel.Channel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that is executed on a virtual thread of its own. The event loop may interrupt it, and is called back when it has
 * ended.
 */
final class RunningRequest {
    private static final Logger LOG = LoggerFactory.getLogger(RunningRequest.class);
    /** SQL Server's error for a message that it can't parse; it closes the connection afterwards. */
    private static final int ERROR_PROTOCOL = 4002;

    private static final int ERROR_INTERNAL = 50000;
    private static final int SEVERITY_USER = 16;

    private final WireServer server;
    private final Channel channel;
    private final WireSession session;
    private final ResponseStream response;
    private final CountDownLatch interrupted = new CountDownLatch(1);

    RunningRequest(WireServer server, Channel channel, WireSession session, ResponseStream response) {
        this.server = server;
        this.channel = channel;
        this.session = session;
        this.response = response;
    }

    /**
     * Starts to execute the message.
     *
     * @param finished called on the event loop, with whether to close the connection
     */
    void start(ClientMessage message, Consumer<Boolean> finished) {
        Thread.ofVirtual().name("standin-" + session.engine.spid()).start(() -> {
            boolean close = true;
            try {
                close = !answer(message);
            } catch (ProtocolException e) {
                channel.pipeline().fireExceptionCaught(e);
            } catch (RequestCancelled e) {
                LOG.debug("the client of session {} disconnected before its response", session.engine.spid());
            } finally {
                // An attention may arrive while the final error is written, and so leave a packet open.
                response.discard();
                message.body().release();
                boolean closeIt = close;
                channel.eventLoop().execute(() -> finished.accept(closeIt));
            }
        });
    }

    /** Cancels it, unless its response is complete. */
    void attention() {
        if (response.cancel()) {
            interrupt();
        }
    }

    /** The client has disconnected. */
    void abandon() {
        response.abandon();
        interrupt();
    }

    private void interrupt() {
        interrupted.countDown();
        session.engine.cancel();
    }

    /** @return whether the connection stays open */
    private boolean answer(ClientMessage message) {
        Misbehaviour misbehaviour = server.misbehaviour();
        try {
            pause(misbehaviour);
            if (!response.isUnwanted()) {
                new RequestRunner(
                                session, server.tally(), server.settings().habits(), misbehaviour.silentTransactions())
                        .run(message, response);
            }
        } catch (RequestCancelled e) {
            if (!response.isCancelled()) {
                response.discard();
                throw e;
            }
        } catch (ProtocolException e) {
            fail(
                    ERROR_PROTOCOL,
                    "The incoming tabular data stream (TDS) protocol stream is incorrect: " + e.getMessage());
            response.finish();
            throw e;
        } catch (RuntimeException e) {
            LOG.error("the stand-in failed in session {}", session.engine.spid(), e);
            fail(ERROR_INTERNAL, "The stand-in failed: " + e);
        } finally {
            session.record.answered();
        }
        server.tally().roundTrips.increment();
        response.finish();
        return !response.isFatal();
    }

    private void fail(int number, String text) {
        if (!response.isUnwanted()) {
            response.error(new Message(number, 1, SEVERITY_USER, text, "", 1));
        }
    }

    private void pause(Misbehaviour misbehaviour) {
        if (!misbehaviour.slow().isPositive()) {
            return;
        }
        server.tally().delayed.increment();
        try {
            boolean _ = interrupted.await(misbehaviour.slow().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

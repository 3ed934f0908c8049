package dev.comporta.tls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * A test handshake in memory. Some TLS libraries check only at the first handshake whether a key belongs to its
 * certificate; this checks it at the start or the reload, when the error still reaches the operator.
 */
final class Rehearsal {
    private Rehearsal() {}

    /** Whether a client could connect. */
    static boolean succeeds(TlsContexts server) throws SSLException {
        SSLEngine engine = server.wrapped().newEngine(UnpooledByteBufAllocator.DEFAULT);
        engine.setNeedClientAuth(false); // the client of the test handshake has no certificate
        SslHandler answering = new SslHandler(engine);
        SSLEngine client = TlsContexts.trustingClient().wrapped().newEngine(UnpooledByteBufAllocator.DEFAULT);
        EmbeddedChannel asker = new EmbeddedChannel(new SslHandler(client));
        EmbeddedChannel answerer = new EmbeddedChannel(answering);
        try {
            int moved = 1;
            while (moved > 0) {
                moved = move(asker, answerer) + move(answerer, asker);
            }
            return answering.handshakeFuture().isSuccess();
        } catch (RuntimeException | SSLException failed) {
            return false;
        } finally {
            close(asker);
            close(answerer);
        }
    }

    private static int move(EmbeddedChannel from, EmbeddedChannel to) throws SSLException {
        int moved = 0;
        for (Object bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
            to.writeInbound(bytes);
            moved++;
        }
        return moved;
    }

    private static void close(EmbeddedChannel channel) {
        try {
            channel.finishAndReleaseAll();
        } catch (Exception brokenHandshake) { // Netty throws checked exceptions without declaring them
            // The handshake has failed; the result says so already.
        }
    }
}
